import { defineAxis } from "./axis.ts";
import { provesBoth } from "./direction.ts";
import { quantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    jitter: number;
  }
}

/** Confirmed by the shaper's kernel. The axes rtt and queue check the quickest and slowest packets; a calibration measures the spread of delays. */
export const axis = defineAxis({
  name: "jitter",
  shownByAnyLoad: true,
  title: "random delay added to each packet's one-way delay, uniformly distributed from 0 to this value",
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
