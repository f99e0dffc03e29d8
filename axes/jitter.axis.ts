import { defineAxis } from "./axis.ts";
import { provesBoth } from "./direction.ts";
import { quantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    jitter: number;
  }
}

/**
 * Proven by the shaper's kernel; that no packet is quicker than the RTT lets it, nor slower than with all of the jitter,
 * hold the axes rtt and queue. A calibration measures how far delays spread.
 */
export const axis = defineAxis({
  name: "jitter",
  title: "what is added to each packet's delay, each way, drawn evenly from 0 to this",
  example: "10ms",
  follows: "queue",
  field: "jitterMs",
  value: quantity("jitterMs"),
  default: 0,
  text: (ms) => `${ms}ms`,
  label: (ms) => `jitter ${ms} ms`,
  id: (ms) => `jitter${ms}ms`,
  sets: (ms) => (ms > 0 ? { link: { jitterMs: ms } } : {}),
  proves: (ms, _, evidence) => provesBoth(evidence, "jitterMs", ms > 0 ? ms : undefined),
});
