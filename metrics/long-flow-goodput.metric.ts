import { flowGoodputsKBps } from "./flow-goodput.ts";
import type { Metric } from "./metric.ts";

export const metric: Metric = {
  name: "longFlowKBps",
  title: "goodput of the flow with most bytes",
  unit: "KB/s",
  moreIsBetter: true,
  of: (evidence) => flowGoodputsKBps(evidence)[0] ?? null,
};
