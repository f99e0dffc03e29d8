/** Files with which `./lab reproduce` continues where it stopped: notes on which runs were reproduced, and the plans of other samples. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { ExitCode } from "../../schema/errors.ts";
import { planHashFile } from "../record/plan-hash.ts";

/** Each run and seed has a file with the number of chunks that were reproduced. */
const fileOf = (folder: string, digest: string, seed: number) => `${folder}/${digest}-${seed}`;

/** Whether at least this many chunks were reproduced earlier. Noting their number is enough, because a seed always chooses the same chunks first. */
export function isReproduced(digest: string, seed: number, chunks: number, folder = ".lab/reproduced"): boolean {
  const file = fileOf(folder, digest, seed);
  return existsSync(file) && Number(readFileSync(file, "utf8")) >= chunks;
}

export function noteReproduced(digest: string, seed: number, chunks: number, folder = ".lab/reproduced"): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(folder, digest, seed), `${chunks}\n`, { flush: true });
}

/** Copies a run's plan, without its loads, into a folder where `./lab run --resume` makes another sample. An existing plan is kept. */
export function copyPlan(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const file of [planHashFile, "run.json"])
    if (existsSync(`${from}/${file}`) && !existsSync(`${to}/${file}`)) copyFileSync(`${from}/${file}`, `${to}/${file}`);
  if (existsSync(`${from}/added`)) cpSync(`${from}/added`, `${to}/added`, { recursive: true });
}

export type Outcome = "the same" | "different" | "other versions" | "not repeated";

/** @param compared whether the lab printed a comparison; a difference and a failure of the lab itself have the same exit code */
export function outcomeOf(code: ExitCode, compared: boolean): Outcome {
  if (code === ExitCode.done) return "the same";
  if (code === ExitCode.otherVersions) return "other versions";
  return code === ExitCode.failed && compared ? "different" : "not repeated";
}

export function exitCodeOf(outcomes: readonly Outcome[]): ExitCode {
  if (outcomes.includes("different")) return ExitCode.failed;
  if (outcomes.includes("not repeated")) return ExitCode.notRepeated;
  return outcomes.includes("other versions") ? ExitCode.otherVersions : ExitCode.done;
}
