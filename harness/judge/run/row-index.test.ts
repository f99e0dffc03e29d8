/** The index of judged loads: a line is judged once, and the index is used only if everything that it depends on is unchanged. */
import assert from "node:assert/strict";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { after, test } from "node:test";
import { sha256 } from "../../../schema/sha256.ts";
import { blockRun } from "../../record/find-run.ts";
import { unpackRun } from "../../record/pack.ts";
import { readSavedRun } from "../../record/records.ts";
import { openRun } from "../../record/run-folder.ts";
import { importGraph, judgeVersion } from "./judge-version.ts";
import { type JudgedLoad, judgedLoads } from "./judged-loads.ts";
import { RowIndex } from "./row-index.ts";

const folder = mkdtempSync("/tmp/row-index-test-");
after(() => rmSync(folder, { recursive: true }));
const loadsPath = `${folder}/loads.jsonl`;
cpSync(blockRun, folder, { recursive: true });
unpackRun(folder);
const lines = readFileSync(loadsPath, "utf8").split("\n").slice(0, 6);
writeFileSync(loadsPath, `${lines.slice(0, 3).join("\n")}\n`);

/** The loads, and how many lines were judged for them. */
function read(): { loads: JudgedLoad[]; judged: number } {
  const run = readSavedRun(folder, openRun(folder).manifest);
  let judged = 0;
  function* counted(offset?: number) {
    for (const line of run.loads(offset)) {
      judged++;
      yield line;
    }
  }
  const loads = [...judgedLoads({ ...run, loads: counted })];
  return { loads, judged };
}

/** Expects that no line is judged again before `change`, and all lines after it. */
function expectAnew(change: () => void): void {
  assert.equal(read().judged, 0);
  change();
  const { judged, loads } = read();
  assert.equal(judged, loads.length);
  assert.ok(judged > 0);
}

const edit = (file: string, from: RegExp, to: string) => {
  const before = readFileSync(`${folder}/${file}`, "utf8");
  const now = before.replace(from, to);
  assert.notEqual(now, before);
  writeFileSync(`${folder}/${file}`, now);
};

test("a line is judged once; after appending, only new lines are judged, and the result is as if all were judged again", () => {
  assert.equal(read().judged, 3);
  assert.equal(read().judged, 0);
  appendFileSync(loadsPath, `${lines.slice(3).join("\n")}\n`);
  const grown = read();
  assert.deepEqual([grown.judged, grown.loads.length], [3, 6]);
  assert.deepEqual(read().loads, grown.loads);
  rmSync(`${folder}/judged.json`);
  assert.deepEqual(read().loads, grown.loads);
});

test("an edited row of the index is not used, even if its number of bytes is the same", () => {
  const before = read().loads;
  const first = before[0]!.metrics.pageLoadMs!;
  const other = String(first).replace(/\d/, (digit) => String((Number(digit) + 1) % 10));
  expectAnew(() => edit("judged.jsonl", new RegExp(`"pageLoadMs":${first}`), `"pageLoadMs":${other}`));
  assert.deepEqual(read().loads, before);
});

test("after a change to the manifest, a lane, a line or a trace, everything is judged again", () => {
  read();
  expectAnew(() => edit("run.json", /"loads": 1/, '"loads": 2'));
  expectAnew(() => edit("lanes.jsonl", /"cores":1/, '"cores":2'));
  expectAnew(() => edit("loads.jsonl", /"pageLoadMs":(\d)/, '"pageLoadMs":9'));
  const { trace } = read().loads.find((load) => load.trace !== null)!;
  const file = readdirSync(`${folder}/traces`).find((name) => trace!.hash.startsWith(name.slice(0, 16)))!;
  expectAnew(() => rmSync(`${folder}/traces/${file}`));
});

test("a truncated index is not used", () => {
  read();
  expectAnew(() => edit("judged.json", /.$/s, ""));
  expectAnew(() => edit("judged.jsonl", /.{100}$/s, ""));
});

test("the judge's version covers all that its code imports, including entries of registries, and nothing else", () => {
  const files = importGraph("harness/judge/load/load-row.ts");
  for (const file of ["models/adaptive-window.ts", "axes/rtt.axis.ts", "metrics/page-load.metric.ts"])
    assert.ok(files.includes(file), file);
  assert.ok(files.every((file) => !file.startsWith("harness/tables/")));
});

test("an index that another checkout wrote is not used, although its hashes are right", () => {
  expectAnew(() => {
    const rows = readFileSync(`${folder}/judged.jsonl`, "utf8").replace(/"ok":true/, '"ok":false');
    writeFileSync(`${folder}/judged.jsonl`, rows);
    edit("judged.json", /"rows":"\w+"/, `"rows":"${sha256(rows)}"`);
  });
});

test("the unfinished index of a killed process is removed", () => {
  writeFileSync(`${folder}/judged.jsonl.999999999`, "{}");
  appendFileSync(loadsPath, `${lines[5]}\n`);
  read();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith("judged.jsonl.")),
    [],
  );
});

test("if an index is replaced while it is read, the version that was checked is read", () => {
  read();
  const index = new RowIndex(readSavedRun(folder, openRun(folder).manifest), judgeVersion());
  const rows = index.rows();
  const path = `${folder}/judged.jsonl`;
  const before = readFileSync(path, "utf8");
  writeFileSync(`${path}.new`, "");
  renameSync(`${path}.new`, path);
  assert.equal([...rows].map((row) => `${JSON.stringify(row)}\n`).join(""), before);
  index.close();
});
