/** Loads are judged while a run is still in progress. */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { judgeVersion } from "../judge/run/judge-version.ts";
import { indexFiles, RowIndex } from "../judge/run/row-index.ts";
import { blockRun } from "../record/find-run.ts";
import { unpackRun } from "../record/pack.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { keepIndex } from "./keep-index.ts";

const folder = mkdtempSync("/tmp/keep-index-test-");
after(() => rmSync(folder, { recursive: true }));

test("the index of a run in progress gets the run's lines after a while", { timeout: 600_000 }, async (t) => {
  cpSync(blockRun, folder, { recursive: true });
  unpackRun(folder);
  // Its manifest is that of no other run, because other tests use the cache too.
  const manifest = readFileSync(`${folder}/run.json`, "utf8");
  writeFileSync(`${folder}/run.json`, manifest.replace(/"seed": \d+/, `"seed": ${process.pid}`));
  const run = readSavedRun(folder, openRun(folder).manifest);
  const files = indexFiles(run, judgeVersion());
  rmSync(files.head, { force: true });
  const stop = keepIndex(folder, 100);
  t.after(stop);
  // The index has the lowest priority, so it takes long on a busy machine. Without the signal this would go on after the time-out.
  while (!existsSync(files.head)) await sleep(100, null, { signal: t.signal });
  stop();
  const index = new RowIndex(run, judgeVersion());
  assert.ok(index.isWhole);
  index.close();
  for (const file of Object.values(files)) rmSync(file);
});
