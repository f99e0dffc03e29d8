/** The index of judged loads: a line is judged once, and only what is surely the same is taken from it. */
import assert from "node:assert/strict";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { after, test } from "node:test";
import { judgeOf } from "../judge/judged-loads.ts";
import { type JudgedLoad, JudgedLoads } from "./judged.ts";
import { readSavedRun } from "./records.ts";
import { openRun, virtualReferenceRun } from "./run-folder.ts";

const folder = mkdtempSync("/tmp/judged-test-");
after(() => rmSync(folder, { recursive: true }));
const loadsPath = `${folder}/loads.jsonl`;
for (const file of ["run.json", "lanes.jsonl", "calibration.jsonl"])
  cpSync(`${virtualReferenceRun}/${file}`, `${folder}/${file}`);
const lines = readFileSync(`${virtualReferenceRun}/loads.jsonl`, "utf8").split("\n").slice(0, 6);
writeFileSync(loadsPath, `${lines.slice(0, 3).join("\n")}\n`);

/** The loads, and how many lines were judged for them. */
function read(version = "one"): { loads: JudgedLoad[]; judged: number } {
  const run = readSavedRun(folder, openRun(folder).manifest);
  const { judge } = judgeOf(run);
  let judged = 0;
  const counting = {
    version,
    judge: (line: Parameters<typeof judge>[0]) => {
      judged++;
      return judge(line);
    },
  };
  const loads = [...new JudgedLoads(folder, run, counting)];
  return { loads, judged };
}

test("a line is judged once; what is appended is judged alone, and all is as if it were judged anew", () => {
  assert.equal(read().judged, 3);
  assert.equal(read().judged, 0);
  appendFileSync(loadsPath, `${lines.slice(3).join("\n")}\n`);
  const grown = read();
  assert.deepEqual([grown.judged, grown.loads.length], [3, 6]);
  assert.deepEqual(read().loads, grown.loads);
  assert.deepEqual(read("another").loads, grown.loads);
});

test("another judge, another manifest, or a file that is not what was judged: everything is judged anew", () => {
  read();
  assert.equal(read("other").judged, 6);
  const manifest = readFileSync(`${folder}/run.json`, "utf8");
  writeFileSync(`${folder}/run.json`, manifest.replace('"loads": 3', '"loads": 4'));
  assert.equal(read("other").judged, 6);
  const { atime, mtime } = statSync(loadsPath);
  utimesSync(loadsPath, atime, new Date(mtime.getTime() + 1000));
  assert.equal(read("other").judged, 6);
  const changed = readFileSync(loadsPath, "utf8").replace(/"pageLoadMs":(\d)/g, '"pageLoadMs":9');
  writeFileSync(loadsPath, `${changed}${lines[0]}\n`);
  assert.equal(read("other").judged, 7);
});

test("an index that is torn, or nobody may write, is done without", () => {
  read();
  writeFileSync(`${folder}/judged.json`, '{"judge":"one"');
  assert.equal(read().judged, 7);
  assert.equal(read().judged, 0);
  truncateSync(`${folder}/judged.jsonl`, 100);
  assert.equal(read().judged, 7);
});
