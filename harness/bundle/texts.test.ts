/** The README and the citation of a bundle, and the bytes of its archive. */
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

test("a bundle's README has the commands to check the run, the output of verify, and the versions that the lanes recorded", () => {
  const text = evaluatorReadme(run, ".", true);
  for (const command of ["verify", "tables", "claims", "reproduce"])
    assert.ok(text.includes(`    ./lab ${command} ../run`), command);
  assert.match(text, /^> Valid: 288 of 288 loads;/m);
  assert.ok(text.includes(run.lanes[0]!.versions.kernelImage!));
  assert.doesNotMatch(text, /\.\/lab trust/);
  assert.match(text, /neither a network nor root privileges/);
  assert.match(evaluatorReadme(run, ".", false), /The first call of \.\/lab needs a network/);
});

test("if a run used an axis from outside the checkout, the bundle's README has ./lab trust before ./lab verify", () => {
  const added = { "axes/mine.axis.ts": "0".repeat(64) };
  const text = evaluatorReadme({ ...run, manifest: { ...run.manifest, added } }, ".", true);
  assert.ok(text.indexOf("./lab trust ../run") < text.indexOf("./lab verify ../run"));
  assert.match(text, /\.\/lab trust \.\.\/run/);
});

test("CITATION.cff names the given authors, and refers to the lab by the run's commit", () => {
  const citation = parse(citationOf(run.manifest, ["Ada Lovelace"], "."));
  assert.deepEqual(citation.authors, [{ name: "Ada Lovelace" }]);
  assert.deepEqual([citation.type, citation.references[0].commit], ["dataset", run.manifest.commit]);
  assert.deepEqual(parse(citationOf(run.manifest, [], ".")).authors, [{ name: "anonymous" }]);
});

test("files with equal contents give the same archive, even if their modification times differ", () => {
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
