/** Simulates runs in which the compared options are all equal, and counts how many of the claims' intervals contain the truth. */
import { numbersOf } from "../harness/claims/claimed-quantity.ts";
import { keptEstimates, type MeasuredRun } from "../harness/claims/measured-run.ts";
import type { Leaf, Quantity } from "../harness/plan/claims.ts";
import { readExperiment } from "../harness/plan/experiment.ts";
import type { Condition } from "../schema/plan.ts";
import { benchedConditions } from "./on-lanes.ts";
import { type Random, randomOf } from "./random.ts";
import { resamplesOf, simulatedSamples } from "./simulated-intervals.ts";

const speedup = { of: "speedup", comparison: "1", statistic: "median", over: "geometric mean" } satisfies Leaf;
const time = { of: "value", statistic: "median", over: "geometric mean" } satisfies Leaf;
const pooled = { ...speedup, of: "savedPercent", over: "pool" } satisfies Leaf;

/** Kinds of claims over the simulated conditions, with their true values. For times, the true value comes from a run with very many blocks. */
export const kinds: Record<string, { quantity: Quantity; truth?: number }> = {
  "median time": { quantity: { ...time, where: { page: ["A"], link: ["10x1-20ms-0%"], protocol: ["h1"] } } },
  "p90 of 32 conditions' times": { quantity: { ...time, statistic: "p90", over: "pool" } },
  "difference of medians": {
    quantity: { ...speedup, of: "difference", where: { page: ["A"], link: ["10x1-20ms-0%"] } },
    truth: 0,
  },
  "ratio of two speedups": {
    quantity: {
      ratio: [
        { ...speedup, where: { page: ["A"] } },
        { ...speedup, where: { page: ["C"] } },
      ],
    },
    truth: 1,
  },
  "largest of 16 speedups": { quantity: { ...speedup, over: "maximum" }, truth: 1 },
  "mean of 16 scenarios' loads": { quantity: { ...pooled, statistic: "mean" }, truth: 0 },
  "median of 16 scenarios' loads": { quantity: pooled, truth: 0 },
  "p90 of 16 scenarios' loads": { quantity: { ...pooled, statistic: "p90" }, truth: 0 },
};

const veryManyBlocks = 5000;

/** Returns each kind's share of intervals that contain the truth, or null if the kind has no interval. @param shape one of `shapes` */
export function coverageOfClaims(shape: string, blocks: number, runs: number): (number | null)[] {
  const random = randomOf(1);
  const found = Object.keys(kinds).map(() => ({ intervals: 0, holding: 0 }));
  const conditions = benchedConditions(["initcwnd=3", "servers=1", "page=A,C"]);
  const many = simulatedRun(conditions, shape, veryManyBlocks, random, 1);
  const truths = Object.values(kinds).map(({ quantity, truth }) => truth ?? numbersOf(quantity, many)[0]!.value!);
  for (let run = 0; run < runs; run++) {
    const simulated = simulatedRun(conditions, shape, blocks, random);
    for (const [i, { quantity }] of Object.values(kinds).entries()) {
      const truth = truths[i]!;
      const { interval } = numbersOf(quantity, simulated)[0]!;
      if (!interval) continue;
      found[i]!.intervals++;
      if (interval.low <= truth && truth <= interval.high) found[i]!.holding++;
    }
  }
  return found.map(({ intervals, holding }) => (intervals ? holding / intervals : null));
}

/** Simulates a run whose load times differ by a factor of up to 11 between links, and not at all between protocols. */
function simulatedRun(
  conditions: readonly Condition[],
  shape: string,
  blocks: number,
  random: Random,
  draws?: number,
): MeasuredRun {
  const links = [...new Set(conditions.map(({ values }) => values.link))];
  const timeMs = ({ values }: Condition) => 1000 * 2 ** (links.indexOf(values.link) / 2);
  const samples = simulatedSamples(conditions, shape, blocks, random, timeMs);
  return {
    clock: "virtual",
    experiment: readExperiment("spdy-initcwnd"),
    samplesOf: () => samples,
    estimate: keptEstimates(resamplesOf(blocks, random, draws)),
  };
}
