import type { Metric } from "./metric.ts";

/** From navigation start to the document's first byte (Navigation Timing, W3C). */
export const metric: Metric = {
  name: "firstByteMs",
  title: "first byte",
  unit: "ms",
  tables: false,
  compared: 3,
  of: ({ timing }) => timing.responseStart ?? null,
};
