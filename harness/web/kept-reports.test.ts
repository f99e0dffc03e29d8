/** Tests that a report is built once, and rebuilt when one of its source files has changed. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { blockRun } from "../record/find-run.ts";
import { openRun } from "../record/run-folder.ts";
import { keptReport } from "./kept-reports.ts";

const folder = mkdtempSync("/tmp/kept-reports-test-");
const kept = `${folder}/kept`;
after(() => rmSync(folder, { recursive: true }));
cpSync(blockRun, `${folder}/run`, { recursive: true });

let built = 0;
const read = async () => {
  const files = await keptReport([openRun(`${folder}/run`)], async () => new Map([["a", `${++built}`]]), kept);
  return files.get("a");
};

test("a report comes from the cache until a source file changes; then the report is built again", async () => {
  assert.deepEqual([await read(), await read()], ["1", "1"]);
  writeFileSync(`${folder}/run/run.sha256`, "another");
  assert.deepEqual([await read(), await read()], ["2", "2"]);
});

test("a cached file that is not a report is not used, and the report is built again", async () => {
  const [name = ""] = readdirSync(kept).toSorted(
    (a, b) => statSync(`${kept}/${b}`).mtimeMs - statSync(`${kept}/${a}`).mtimeMs,
  );
  for (const other of ['{"hash":"0","content":[["../a","forged"]]}', "null", "[]"]) {
    writeFileSync(`${kept}/${name}`, other);
    assert.equal(await read(), `${built}`);
  }
  assert.equal(built, 5);
});

test("a truncated report in the cache is not used, and the oldest of more than ten cached reports are removed", async () => {
  for (let i = 0; i < 12; i++) {
    writeFileSync(`${kept}/${i}`, "");
    utimesSync(`${kept}/${i}`, i + 1, i + 1);
  }
  for (const name of readdirSync(kept)) if (name.length > 2) writeFileSync(`${kept}/${name}`, "[");
  assert.equal(await read(), "6");
  assert.equal(readdirSync(kept).length, 10);
  assert.ok(!readdirSync(kept).includes("0"));
});
