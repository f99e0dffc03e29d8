/**
 * Judges a run's loads while they come in, so that reports of a long run have little left to judge. Arguments: the run's folder, the
 * pause between two looks in milliseconds.
 */
import { existsSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The index is written as a whole each time, so that it waits for this share of new lines, and for this many bytes. */
const leastShare = 0.1;
const leastBytes = 4e6;

const [folder = "", pauseMs] = process.argv.slice(2);
const path = `${folder}/loads.jsonl`;
for (let judgedBytes = 0; ; ) {
  await sleep(Number(pauseMs));
  const bytes = existsSync(path) ? statSync(path).size : 0;
  if (bytes - judgedBytes < Math.max(leastBytes, leastShare * bytes)) continue;
  await judge();
  judgedBytes = bytes;
}

/** What it needs is read only now, for most runs are too short for it. */
async function judge(): Promise<void> {
  const { judgedLoads, readToEnd } = await import("../judge/run/judged-loads.ts");
  const { readSavedRun } = await import("../record/records.ts");
  const { openRun } = await import("../record/run-folder.ts");
  readToEnd(judgedLoads(readSavedRun(folder, openRun(folder).manifest)), () => {});
}
