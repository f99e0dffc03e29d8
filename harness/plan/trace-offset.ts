import { createHash } from "node:crypto";
import { periodMs, type RateTrace } from "../../schema/rate-trace.ts";

/**
 * Where in its trace a link begins, milliseconds: drawn evenly from the whole trace by the run's seed and the block's number. All loads of a
 * block on links of this trace begin there, whatever else differs between them, so that no side of a comparison has the better moment.
 */
export function traceOffsetMs({ down, up }: RateTrace, seed: number, block: number): number {
  const drawn = createHash("sha256").update(`trace ${seed} ${block}`).digest().readUIntBE(0, 6) / 2 ** 48;
  return Math.floor(drawn * Math.max(periodMs(down), periodMs(up)));
}
