import type { Metric } from "./metric.ts";

/** From navigation start to the load event (Navigation Timing, W3C), which the SPDY paper's tool also measured. */
export const metric: Metric = {
  name: "pageLoadMs",
  title: "page load time",
  unit: "ms",
  untilLoaded: true,
  gate: { name: "pageLoad", title: "page load", place: 1, comparedFromMs: 0 },
  of: ({ timing }) => timing.loadEventStart ?? null,
};
