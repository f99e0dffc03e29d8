/** Which recorded runs came out the same when they were made again: a line each, so that `./lab reproduce` continues where it stopped. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { chunkOf } from "../record/digest.ts";
import type { Manifest } from "../record/manifest.ts";
import { planHashFile, planHashOf } from "../record/plan-hash.ts";
import type { SavedRun } from "../record/records.ts";

/** A part of a run on the virtual clock: so many of its chunks, drawn by a seed. */
const partSchema = z.strictObject({ digest: z.string(), chunks: z.number(), seed: z.number() });
type Part = z.infer<typeof partSchema>;

export class Reproduced {
  readonly #path: string;
  readonly #parts: Part[];

  constructor(path = ".lab/reproduced.jsonl") {
    this.#path = path;
    const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
    this.#parts = lines.filter(Boolean).map((line) => partSchema.parse(JSON.parse(line)));
  }

  /** Whether this part of the run came out the same, or a larger one with the same seed. */
  has({ digest, chunks, seed }: Part): boolean {
    return this.#parts.some((one) => one.digest === digest && one.seed === seed && one.chunks >= chunks);
  }

  add(part: Part): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    appendFileSync(this.#path, `${JSON.stringify(part)}\n`, { flush: true });
    this.#parts.push(part);
  }
}

/** How many chunks a run's lanes made. */
export const chunksOf = ({ lanes, calibrations }: Pick<SavedRun, "lanes" | "calibrations">): number =>
  new Set([...lanes.map(({ lane }) => lane), ...calibrations.map(({ calibration }) => chunkOf(calibration))]).size;

/** Makes a folder with a run's plan and none of its loads, unless it exists: `./lab run --resume` makes another sample there. */
export function planAnew(manifest: Manifest, folder: string): void {
  if (existsSync(`${folder}/run.json`)) return;
  mkdirSync(folder, { recursive: true });
  const json = `${JSON.stringify({ ...manifest, createdAt: new Date().toISOString() }, null, 2)}\n`;
  writeFileSync(`${folder}/${planHashFile}`, planHashOf(json));
  writeFileSync(`${folder}/run.json`, json, { flush: true });
}
