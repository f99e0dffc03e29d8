import type { Clock } from "../../schema/records.ts";
import { benchAa, refuseOddBlocks } from "../bench/aa.ts";
import { enoughBlocks } from "../statistics/resample.ts";
import { run } from "./run.ts";

export interface AaOptions {
  loads?: number;
  only: string[];
  seed?: number;
  clock?: Clock;
  lanes?: number | "auto";
}

/** Of a run that is there; else of one that is made for it, and kept. @param experiment of the run that is made */
export async function aa(name: string | undefined, options: AaOptions, experiment: string): Promise<void> {
  if (name === undefined) {
    const loads = options.loads ?? 2 * enoughBlocks;
    refuseOddBlocks(loads, "--loads");
    await run(experiment, { ...options, loads, with: [] });
  }
  benchAa(name);
}
