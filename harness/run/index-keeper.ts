/**
 * Judges a run's loads while they are recorded, so that reports of a long run have little left to judge. Arguments: the run's folder, and
 * the interval between two checks for new loads, in milliseconds.
 */
import { existsSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The whole index is rewritten each time, so an update waits until this share of the lines, and at least this many bytes, are new. */
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

/** The modules are imported only here, because most runs end before there is anything to judge. */
async function judge(): Promise<void> {
  const { judgedLoads, readToEnd } = await import("../judge/run/judged-loads.ts");
  const { readSavedRun } = await import("../record/records.ts");
  const { openRun } = await import("../record/run-folder.ts");
  readToEnd(judgedLoads(readSavedRun(folder, openRun(folder).manifest)), () => {});
}
