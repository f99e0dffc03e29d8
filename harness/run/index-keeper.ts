/** Judges loads while they are recorded, so that reports have less to judge. Arguments: the run's folder, ms between checks, minimum of new bytes. */
import { existsSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { judgeVersion } from "../judge/run/judge-version.ts";
import { judgedLoads, readToEnd } from "../judge/run/judged-loads.ts";
import { indexFiles } from "../judge/run/row-index.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";

/** The index is updated only when at least this share of loads.jsonl is not yet in it, because an update rewrites the whole index. */
const leastShare = 0.1;

const [folder = "", pauseMs, leastBytes] = process.argv.slice(2);
const path = `${folder}/loads.jsonl`;
for (let judgedBytes = 0; ; await sleep(Number(pauseMs))) {
  const bytes = statSync(path).size;
  if (bytes - judgedBytes < Math.max(Number(leastBytes), leastShare * bytes)) continue;
  const run = readSavedRun(folder, openRun(folder).manifest);
  readToEnd(judgedLoads(run), () => {});
  if (!existsSync(indexFiles(run, judgeVersion()).head)) break; // the cache cannot be written
  judgedBytes = bytes;
}
