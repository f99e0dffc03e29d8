/** The index of judged loads: a line is judged once, and the index is used only if everything that it depends on is unchanged. */
import assert from "node:assert/strict";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { after, test } from "node:test";
import { blockRun } from "../../record/find-run.ts";
import { packRun, unpackRun } from "../../record/pack.ts";
import { readSavedRun } from "../../record/records.ts";
import { openRun } from "../../record/run-folder.ts";
import { importGraph, judgeVersion } from "./judge-version.ts";
import { type JudgedLoad, judgedLoads } from "./judged-loads.ts";
import { indexFiles, RowIndex } from "./row-index.ts";

const folder = mkdtempSync("/tmp/row-index-test-");
const loadsPath = `${folder}/loads.jsonl`;
cpSync(blockRun, folder, { recursive: true });
unpackRun(folder);
const lines = readFileSync(loadsPath, "utf8").split("\n").slice(0, 6);
writeFileSync(loadsPath, `${lines.slice(0, 3).join("\n")}\n`);
const now = () => readSavedRun(folder, openRun(folder).manifest);
const written = new Set<string>();
function index(): ReturnType<typeof indexFiles> {
  const files = indexFiles(now(), judgeVersion());
  for (const path of Object.values(files)) written.add(path);
  return files;
}
after(() => {
  for (const path of [folder, ...written]) rmSync(path, { recursive: true, force: true });
});

/** Returns the run's loads, and how many lines were judged to get them. */
function read(): { loads: JudgedLoad[]; judged: number } {
  const run = now();
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

/** Expects that no line is judged again before `change`, and that all lines are judged again after it. */
function expectAnew(change: () => void): void {
  assert.equal(read().judged, 0);
  change();
  const { judged, loads } = read();
  assert.equal(judged, loads.length);
  assert.ok(judged > 0);
}

function edit(path: string, from: RegExp, to: string): void {
  const before = readFileSync(path, "utf8");
  const after = before.replace(from, to);
  assert.notEqual(after, before);
  writeFileSync(path, after);
}
// An index's file name depends on the run's manifest. With a seed of its own, this run shares no index with other tests.
edit(`${folder}/run.json`, /"seed": \d+/, `"seed": ${process.pid}`);
rmSync(index().head, { force: true });

test("after lines are appended, only the new lines are judged, and the result is the same as if all lines were judged again", () => {
  assert.equal(read().judged, 3);
  assert.equal(read().judged, 0);
  const openFiles = () => readdirSync("/proc/self/fd").length;
  const before = openFiles();
  appendFileSync(loadsPath, `${lines.slice(3).join("\n")}\n`);
  const grown = read();
  assert.deepEqual([grown.judged, grown.loads.length], [3, 6]);
  assert.equal(openFiles(), before, "reading left files open");
  assert.deepEqual(read().loads, grown.loads);
  rmSync(index().head);
  assert.deepEqual(read().loads, grown.loads);
});

test("after a row of the index was edited, all lines are judged again, even if the row's length is unchanged", () => {
  const before = read().loads;
  const first = before[0]!.metrics.pageLoadMs!;
  const other = String(first).replace(/\d/, (digit) => String((Number(digit) + 1) % 10));
  expectAnew(() => edit(index().rows, new RegExp(`"pageLoadMs":${first}`), `"pageLoadMs":${other}`));
  assert.deepEqual(read().loads, before);
});

test("after a change to the manifest, a lane, a line or a trace, everything is judged again", () => {
  read();
  expectAnew(() => edit(`${folder}/run.json`, /"loads": 1/, '"loads": 2'));
  expectAnew(() => edit(`${folder}/lanes.jsonl`, /"cores":1/, '"cores":2'));
  expectAnew(() => edit(loadsPath, /"pageLoadMs":(\d)/, '"pageLoadMs":9'));
  const { trace } = read().loads.find((load) => load.trace !== null)!;
  const file = readdirSync(`${folder}/traces`).find((name) => trace!.hash.startsWith(name.slice(0, 16)))!;
  expectAnew(() => rmSync(`${folder}/traces/${file}`));
});

test("a truncated index is not used", () => {
  read();
  expectAnew(() => edit(index().head, /.$/s, ""));
  expectAnew(() => edit(index().rows, /.{100}$/s, ""));
});

test("a packed run is judged once, and judged again after one of its lines was edited and the run was packed again", () => {
  packRun(folder);
  read();
  expectAnew(() => {
    unpackRun(folder);
    edit(loadsPath, /"block":1/, '"block":2');
    packRun(folder);
  });
  assert.equal(read().judged, 0);
});

test("if a run grew and was packed while its lines were judged, all lines are judged again", () => {
  unpackRun(folder);
  edit(loadsPath, /"block":2/, '"block":1');
  const reading = judgedLoads(now());
  reading.next();
  appendFileSync(loadsPath, `${lines[5]}\n`);
  packRun(folder);
  const earlier = [...reading].length + 1;
  const { judged, loads } = read();
  assert.deepEqual([judged, loads.length], [earlier + 1, earlier + 1]);
});

test("the judge's version covers the models, axes and metrics that the judge's code imports, and no file of harness/tables", () => {
  const files = importGraph("harness/judge/load/load-row.ts");
  for (const file of ["models/adaptive-window.ts", "axes/rtt.axis.ts", "metrics/page-load.metric.ts"])
    assert.ok(files.includes(file), file);
  assert.ok(files.every((file) => !file.startsWith("harness/tables/")));
});

test("the unfinished index of a killed process is removed", () => {
  const unfinished = `${index().rows}.999999999`;
  writeFileSync(unfinished, "{}");
  appendFileSync(loadsPath, `${lines[5]}\n`);
  read();
  assert.ok(!existsSync(unfinished));
});

test("an index in the run's own folder is ignored", () => {
  const before = read().loads;
  const { head, rows } = index();
  writeFileSync(`${folder}/judged.json`, readFileSync(head));
  writeFileSync(`${folder}/judged.jsonl`, readFileSync(rows));
  for (const path of Object.values(index())) rmSync(path);
  assert.ok(read().judged > 0);
  assert.deepEqual(read().loads, before);
});

test("if another process replaces an index during reading, the remaining rows still come from the checked index", () => {
  read();
  const opened = new RowIndex(now(), judgeVersion());
  const rows = opened.rows();
  const path = index().rows;
  const before = readFileSync(path, "utf8");
  writeFileSync(`${path}.new`, "");
  renameSync(`${path}.new`, path);
  assert.equal([...rows].map((row) => `${JSON.stringify(row)}\n`).join(""), before);
  opened.close();
});
