import type { Metric } from "./metric.ts";

/** On the virtual clock, the sum of the randomly drawn processing times. */
export const metric: Metric = {
  name: "processorMs",
  title: "CPU time of the lab",
  unit: "ms",
  tables: false,
  compared: 10,
  of: ({ processor }) => processor.labMs,
};
