import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { useAdded } from "../../hosts/added.ts";
import { figuresOf } from "../figures/run-figures.ts";
import { renderMarkdown } from "../tables/markdown.ts";
import { tablesOf } from "../tables/run-tables.ts";
import { filesBeside } from "./added/beside.ts";
import { stage } from "./added/staged.ts";
import { definedOtherwise } from "./experiment-now.ts";
import { readRun } from "./records.ts";

const folder = mkdtempSync(`${tmpdir()}/experiment-now-`);
after(() => {
  useAdded(undefined);
  rmSync(folder, { recursive: true });
});
const run = readRun("test/recorded-run");
const { experiment } = run.manifest;

/** Writes a changed version of the run's experiment, and adds it to the lab. */
function give(name: string, changes: object): void {
  mkdirSync(folder, { recursive: true });
  const { source: _, ...known } = experiment;
  writeFileSync(`${folder}/${name}.yml`, JSON.stringify({ ...known, source: "now", ...changes }));
  useAdded(stage([filesBeside(`${folder}/${name}.yml`)]));
}

test("a run's tables and figures are those of its manifest; with --experiment they are those of the given file, and the report says so", () => {
  const figure = { id: "mine", title: "Mine", x: "rtt" };
  give("changed", { title: "Another title", figures: [figure] });
  assert.equal(tablesOf(run).title, experiment.title);
  assert.ok(!("definedBy" in tablesOf(run)));
  const report = tablesOf(run, { given: "changed" });
  assert.equal(report.title, "Another title");
  assert.match(
    renderMarkdown(report),
    /^Tables and figures are defined by the current file of the experiment changed \(--experiment\)/m,
  );
  const [drawn, ...others] = figuresOf(run, "changed");
  assert.deepEqual([drawn!.id, others.length], ["mine", 0]);
  assert.match(drawn!.caption.at(-1)!, /^Tables and figures are defined by the current file of the experiment changed/);
});

test("if the experiment's file has changed since the run, a sentence names the changed keys", () => {
  give("later", { title: "Later", figures: [] });
  assert.match(
    definedOtherwise({ name: "later", experiment })!,
    /^The experiment later has changed .*\(title, figures\): --experiment later/,
  );
  give("same", { figures: experiment.figures });
  assert.equal(definedOtherwise({ name: "same", experiment }), null);
  assert.equal(definedOtherwise({ name: "none", experiment }), null);
});
