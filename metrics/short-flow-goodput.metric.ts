import { flowGoodputsKBps } from "./flow-goodput.ts";
import type { Metric } from "./metric.ts";

export const metric: Metric = {
  name: "shortFlowKBps",
  title: "goodput of the flow with fewest bytes",
  unit: "KB/s",
  moreIsBetter: true,
  of: (evidence) => flowGoodputsKBps(evidence).at(-1) ?? null,
};
