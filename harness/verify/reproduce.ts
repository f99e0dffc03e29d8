/** What `./lab reproduce` keeps, so that it continues where it stopped: which runs came out the same, and plans of other samples. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { planHashFile } from "../record/plan-hash.ts";

/** A file for each run and seed, by the run's digest, with the number of its chunks that came out the same. */
const fileOf = (folder: string, digest: string, seed: number) => `${folder}/${digest}-${seed}`;

/** Whether this many chunks came out the same before. A seed draws the same chunks first, however many are drawn. */
export function isReproduced(digest: string, seed: number, chunks: number, folder = ".lab/reproduced"): boolean {
  const file = fileOf(folder, digest, seed);
  return existsSync(file) && Number(readFileSync(file, "utf8")) >= chunks;
}

export function noteReproduced(digest: string, seed: number, chunks: number, folder = ".lab/reproduced"): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(folder, digest, seed), `${chunks}\n`, { flush: true });
}

/** Copies a run's plan, without its loads, into a folder where `./lab run --resume` makes another sample; not twice. */
export function copyPlan(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const file of [planHashFile, "run.json"])
    if (existsSync(`${from}/${file}`) && !existsSync(`${to}/${file}`)) copyFileSync(`${from}/${file}`, `${to}/${file}`);
}
