import { backgroundSteps } from "../../schema/background.ts";
import { drawnShare } from "./drawn-share.ts";

/**
 * Beside background flows: how many milliseconds after the end of a step the loads of a block begin. This is drawn evenly from the length of
 * a step by the run's seed and the block's number, so that no side of a comparison meets the flows in a better moment.
 */
export function backgroundDelayMs(seed: number, block: number): number {
  return Math.floor(drawnShare("background", seed, block) * backgroundSteps.ms);
}
