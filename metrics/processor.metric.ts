import type { Metric } from "./metric.ts";

/** On the virtual clock, the sum of the random times that programs take to react (docs/virtual-time.md). */
export const metric: Metric = {
  name: "processorMs",
  title: "CPU time of the lab",
  unit: "ms",
  tables: false,
  compared: 10,
  of: ({ processor }) => processor.labMs,
};
