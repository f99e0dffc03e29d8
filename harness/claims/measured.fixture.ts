/** A run with known times, and a claim and a number to judge. */
import type { Claim, Leaf } from "../plan/claims.ts";
import { resampleBlocks } from "../statistics/resample.ts";
import { countLoads } from "../tables/counted.ts";
import { conditions, paperExperiment, run } from "../tables/synthetic-loads.fixture.ts";
import type { ClaimedNumber } from "./claimed-quantity.ts";
import { keptEstimates, type MeasuredRun } from "./measured-run.ts";

export const planned = conditions(paperExperiment.axes);
/** HTTP/2 takes half of HTTP/1.1's time on Page A, twice HTTP/1.1's time on Page B, and the same time on Page C. */
const factors: Readonly<Record<string, number>> = { A: 0.5, B: 2, C: 1 };
export const loads = run(
  planned,
  6,
  ({ protocol, page }, block) => (protocol === "h2" ? factors[String(page)]! : 1) * (1000 + 10 * block),
);
const { samples } = countLoads(loads, { conditions: planned, loadsPerCondition: 6, metric: "pageLoadMs" });
export const measured: MeasuredRun = {
  clock: "virtual",
  experiment: { ...paperExperiment, metric: "pageLoadMs" },
  estimate: keptEstimates(resampleBlocks([1, 2, 3, 4, 5, 6])),
  samplesOf: () => samples,
};
export const leaf = (part: Partial<Leaf>): Leaf => ({
  of: "speedup",
  comparison: "1",
  statistic: "median",
  over: "geometric mean",
  ...part,
});
export const number = (low: number, high: number): ClaimedNumber => ({
  key: "",
  label: "",
  value: (low + high) / 2,
  interval: { low, high },
  bound: null,
  noInterval: null,
  unit: "",
});
export const claim = (holds: string, published?: number): Claim => ({
  says: "It is so",
  holds,
  quantity: leaf({}),
  ...(published === undefined ? {} : { published, source: { document: "D", at: "section 1" } }),
});
