import { periodMs, type RateTrace } from "../../schema/rate-trace.ts";
import { drawnShare } from "./drawn-share.ts";

/**
 * The milliseconds of its trace at which a link begins: uniformly random in the whole trace, computed from the run's seed and the block's number. All
 * loads of a block on links of this trace begin there, whatever else differs between them, so that neither side of a comparison has an advantage.
 */
export function traceOffsetMs({ down, up }: RateTrace, seed: number, block: number): number {
  return Math.floor(drawnShare("trace", seed, block) * Math.max(periodMs(down), periodMs(up)));
}
