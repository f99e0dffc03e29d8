import type { Metric } from "./metric.ts";

/** On a virtual clock, the drawn processing times. */
export const metric: Metric = {
  name: "processorMs",
  title: "CPU time of the lab",
  unit: "ms",
  tables: false,
  compared: 10,
  of: ({ processor }) => processor.labMs,
};
