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

test("the loads of a run in progress are judged and indexed", { timeout: 600_000 }, async (t) => {
  cpSync(blockRun, folder, { recursive: true });
  unpackRun(folder);
  // Other tests use the same cache. So this run gets a seed, and thus an index, that no other test has.
  const manifest = readFileSync(`${folder}/run.json`, "utf8");
  writeFileSync(`${folder}/run.json`, manifest.replace(/"seed": \d+/, `"seed": ${process.pid}`));
  const run = readSavedRun(folder, openRun(folder).manifest);
  const files = indexFiles(run, judgeVersion());
  rmSync(files.head, { force: true });
  const stop = keepIndex(folder, 100);
  t.after(stop);
  // The indexing process has the lowest priority, so it is slow on a busy machine. The signal ends this wait at the test's time-out.
  while (!existsSync(files.head)) await sleep(100, null, { signal: t.signal });
  stop();
  const index = new RowIndex(run, judgeVersion());
  assert.ok(index.isWhole);
  index.close();
  for (const file of Object.values(files)) rmSync(file);
});
