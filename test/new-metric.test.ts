/** One file adds a metric. This test adds such a file to a copy of the lab: the metric appears in tables, exports, reports and gates. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { metric } from "./all/alone/new-entries.ts";
import { LabCopy } from "./lab.ts";

const run = "test/recorded-gate";
const copy = LabCopy.bare();
after(() => copy.remove());
before(() => {
  symlinkSync(resolve("node_modules"), `${copy.folder}/node_modules`);
  copy.put("metrics/parsed.metric.ts", metric);
});

async function printed(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await copy.lab(...words);
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Runs a script that imports from the copy. @returns its JSON output */
function evaluated<T>(script: string): T {
  copy.put("script.ts", script);
  const { stdout, stderr } = spawnSync("node", ["--import", "tsx", "script.ts"], {
    cwd: copy.folder,
    encoding: "utf8",
  });
  assert.notEqual(stdout, "", stderr);
  return JSON.parse(stdout) as T;
}

test("`list metrics` and `tables` print the new metric's title", async () => {
  assert.match(await printed("list", "metrics"), /^parsedMs +time to the parsed page +ms$/m);
  assert.match(await printed("tables", run, "--metric", "parsedMs"), /median time to the parsed page/);
});

test("exports have a column for the new metric", async () => {
  const [header = "", ...rows] = (await printed("export", run, "--csv")).trim().split("\n");
  const column = header.split(",").indexOf("parsedMs");
  assert.ok(column > 0 && rows.length > 0);
  for (const row of rows) assert.match(row.split(",")[column] ?? "", /^\d+(\.\d+)?$/);
});

test("in the report's data, the new metric is the last measure of a condition", () => {
  const measures = evaluated<Record<string, number | null>>(`
    import { Gatherer } from "./harness/web/data/gathered.ts";
    import { recordedLoads } from "./harness/judge/run/judged-loads.ts";
    import { conditionsOfRun } from "./harness/record/manifest.ts";
    import { readRun } from "./harness/record/records.ts";
    const run = readRun("${run}");
    const [condition] = conditionsOfRun(run.manifest);
    const gatherer = new Gatherer(condition!, 0, { run, tracedBlocks: 0, keep: () => false });
    for (const load of recordedLoads(run)) if (load.condition === condition!.id) gatherer.add(load);
    console.log(JSON.stringify(gatherer.gathered().measures));
  `);
  const [name, value] = Object.entries(measures).at(-1)!;
  assert.equal(name, "parsedMs");
  assert.ok(value! > 0);
});

test("a gate prints the new metric of both versions of the page, and checks the metric's growth and its budget", async () => {
  assert.match((await printed("gate", "--help")).replace(/\s+/g, " "), /measures: pageLoad, .*fontBytes, parsed; /);
  const { markdown, demands } = evaluated<{ markdown: string; demands: { demand: string }[] }>(`
    import { budgetsOf } from "./harness/gate/budgets.ts";
    import { gateMarkdown } from "./harness/gate/gate-markdown.ts";
    import { gateReport } from "./harness/gate/gate-report.ts";
    import { readRun } from "./harness/record/records.ts";
    const budgets = budgetsOf("parsed=2.5s", ["Cable"]);
    const report = gateReport(readRun("${run}"), { threshold: 0.02, budgets });
    console.log(JSON.stringify({ markdown: gateMarkdown(report), demands: report.rows[0]!.demands }));
  `);
  assert.match(markdown, /^\| index.html \| Cable \| time to the parsed page +\| +\d+ ms \| +\d+ ms \| /m);
  assert.deepEqual(
    demands.flatMap(({ demand }) => (demand.includes("parsed") ? [demand] : [])),
    ["time to the parsed page at most 2% longer than before", "time to the parsed page at most 2500 ms"],
  );
});
