/** A bundle's README and citation; and its archive depends only on its files. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { parse } from "yaml";
import { blockRun } from "../record/find-run.ts";
import { readRun } from "../record/records.ts";
import { citationOf } from "./citation.ts";
import { pack } from "./contents.ts";
import { evaluatorReadme } from "./evaluator-readme.ts";

const folder = mkdtempSync(`${tmpdir()}/bundle-texts-`);
after(() => rmSync(folder, { recursive: true }));
const run = readRun(blockRun);

test("the README has the commands, what verify printed, and the versions that the lanes recorded", () => {
  const text = evaluatorReadme(run, ".", true);
  for (const command of ["verify", "tables", "claims", "reproduce"])
    assert.ok(text.includes(`    ./lab ${command} ../run`), command);
  assert.match(text, /^> Valid: 288 of 288 loads;/m);
  assert.ok(text.includes(run.lanes[0]!.versions.kernelImage!));
  assert.doesNotMatch(text, /\.\/lab trust/);
  assert.match(text, /neither a network nor root privileges/);
  assert.match(evaluatorReadme(run, ".", false), /with a network, \.\/lab installs/);
});

test("if a run used its own code, the README says that the code has to be trusted first", () => {
  const added = { "axes/mine.axis.ts": "0".repeat(64) };
  const text = evaluatorReadme({ ...run, manifest: { ...run.manifest, added } }, ".", true);
  assert.ok(text.indexOf("./lab trust ../run") < text.indexOf("./lab verify ../run"));
  assert.match(text, /\.\/lab trust \.\.\/run/);
});

test("the citation names the authors, and the lab at the run's commit", () => {
  const citation = parse(citationOf(run.manifest, ["Ada Lovelace"], "."));
  assert.deepEqual(citation.authors, [{ name: "Ada Lovelace" }]);
  assert.deepEqual([citation.type, citation.references[0].commit], ["dataset", run.manifest.commit]);
  assert.deepEqual(parse(citationOf(run.manifest, [], ".")).authors, [{ name: "anonymous" }]);
});

test("the same files give the same archive, whenever they were written", () => {
  mkdirSync(`${folder}/mine/run`, { recursive: true });
  const archives = [1, 2].map((day) => {
    for (const path of ["mine/run/run.json", "mine/README.md"]) {
      writeFileSync(`${folder}/${path}`, path);
      utimesSync(`${folder}/${path}`, day * 86_400, day * 86_400);
    }
    pack(folder, "mine", `${folder}/${day}.tar.gz`);
    return readFileSync(`${folder}/${day}.tar.gz`);
  });
  assert.ok(archives[0]!.equals(archives[1]!));
});
