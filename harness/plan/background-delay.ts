import { createHash } from "node:crypto";
import { backgroundSteps } from "../../schema/background.ts";

/**
 * Beside background flows: how many milliseconds after the end of a step the loads of a block begin. This is drawn evenly from the length of
 * a step by the run's seed and the block's number, so that no side of a comparison meets the flows in a better moment.
 */
export function backgroundDelayMs(seed: number, block: number): number {
  const drawn = createHash("sha256").update(`background ${seed} ${block}`).digest().readUIntBE(0, 6) / 2 ** 48;
  return Math.floor(drawn * backgroundSteps.ms);
}
