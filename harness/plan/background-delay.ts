import { backgroundSteps } from "../../schema/background.ts";
import { drawnShare } from "./drawn-share.ts";

/**
 * How many milliseconds after the end of a step (`backgroundSteps`) the loads of a block with background flows begin: a random time within one
 * step, computed from the run's seed and the block's number. All loads of a block have the same delay, so neither side of a comparison has an advantage.
 */
export function backgroundDelayMs(seed: number, block: number): number {
  return Math.floor(drawnShare("background", seed, block) * backgroundSteps.ms);
}
