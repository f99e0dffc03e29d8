/** Compares two runs condition by condition: what differs, by how much, and a possible reason. */
import type { Condition } from "../../../schema/plan.ts";
import type { JudgedLoad } from "../../judge/run/judged-loads.ts";
import type { Manifest } from "../../record/manifest.ts";
import { type Bounded, boundedValue, type Estimate, interval95, ratioOf } from "../../statistics/estimate.ts";
import { median, quantile } from "../../statistics/quantile.ts";
import { rankSumP } from "../../statistics/rank-sum.ts";
import { type Interval, resampleBlocks } from "../../statistics/resample.ts";
import { parseStatistic } from "../../statistics/statistic.ts";
import { countLoads, countOptionsOf } from "../counted.ts";
import { collectNotes, type Noted } from "./noted.ts";

/** What is known about the difference of a condition's medians. */
export type Reason = "never ended" | "same" | "no interval" | "chance" | "ranks" | "processor" | "unknown";

export type Comparison = ReturnType<typeof compareRuns>;
export type ComparedCondition = ReturnType<typeof compareCondition>;

/** Medians that differ by at most this share count as the same. */
export const sameShare = 0.02;

/** Reads each run's loads only once. */
export function compareRuns(first: ComparedRun, second: ComparedRun) {
  const [a, b] = [samplesOf(first, 1), samplesOf(second, 2)];
  const both = [...a.keys()].filter((id) => b.has(id));
  return {
    compared: both.map((id) => compareCondition(a.get(id)!, b.get(id)!, both.length)),
    /** Conditions for which only one run has loads. */
    unmatched: a.size + b.size - 2 * both.length,
  };
}

export interface ComparedRun {
  manifest: Manifest;
  loads: Iterable<JudgedLoad>;
}

interface Resampled {
  condition: Condition;
  timesMs: number[];
  side: Side;
  medians: Estimate;
}

/** Summarises the conditions that have loads. @param seed a seed that differs between the runs, because their blocks are independent */
function samplesOf({ manifest, loads }: ComparedRun, seed: number): Map<string, Resampled> {
  const evidence = new Map<string, Noted>();
  const { samples } = countLoads(collectNotes(loads, evidence), countOptionsOf(manifest));
  const resamples = resampleBlocks(
    samples.flatMap(({ byBlock }) => [...byBlock.keys()]),
    undefined,
    seed,
  );
  const measured = samples.filter(({ byBlock }) => byBlock.size > 0);
  return new Map(
    measured.map((sample) => {
      const { condition, byBlock } = sample;
      const timesMs = [...byBlock.values()];
      const side = sideOf(timesMs, evidence.get(condition.id));
      return [condition.id, { condition, timesMs, side, medians: medianStatistic.estimate([sample], resamples) }];
    }),
  );
}

const medianStatistic = parseStatistic("median")!;

/** One run's loads of a condition. The median time is Infinity if at least half of the loads never ended. */
export type Side = ReturnType<typeof sideOf>;
function sideOf(timesMs: number[], noted: Noted = { processorMs: [], queueDrops: [] }) {
  const medianOf = (values: number[]) => (values.length ? median(values) : null);
  const medianMs = median(timesMs);
  return {
    loads: timesMs.length,
    medianMs,
    /** The distance from the 10th to the 90th percentile, as a share of the median. */
    spread: (quantile(timesMs, 0.9) - quantile(timesMs, 0.1)) / medianMs,
    /** The medians of the numbers in `Noted`; null without any. */
    processorMs: medianOf(noted.processorMs),
    queueDrops: medianOf(noted.queueDrops),
  };
}

/** @param conditions their number: the rank test's level is 5% divided by it, so at most 5% of comparisons of runs show a difference by chance */
function compareCondition(one: Resampled, other: Resampled, conditions: number) {
  const { condition, side: first } = one;
  const { side: second } = other;
  const estimate = ratioOf(other.medians, one.medians);
  const ratio = boundedValue(estimate, "logarithm");
  const interval = interval95(estimate, "logarithm");
  const ranksDiffer = rankSumP(one.timesMs, other.timesMs) < 0.05 / conditions;
  /** `ratio`: the second run's median / the first's. `interval`: null if a run has too few loads, or if too many loads never ended in both runs. */
  return { condition, first, second, ratio, interval, reason: reasonFor(first, second, ratio, interval, ranksDiffer) };
}

export const isWithin = ({ value, bound }: Bounded, share: number): boolean =>
  value !== null && bound === null && Math.abs(value - 1) <= share;

function reasonFor(first: Side, second: Side, ratio: Bounded, interval: Interval | null, ranksDiffer: boolean): Reason {
  if (ratio.value === null) return "never ended";
  if (isWithin(ratio, sameShare)) return "same";
  if (!interval) return "no interval";
  if (interval.low <= 1 && interval.high >= 1) return ranksDiffer ? "ranks" : "chance";
  const [quick, slow] = ratio.value > 1 ? [first, second] : [second, first];
  return (slow.processorMs ?? 0) - (quick.processorMs ?? 0) >= slow.medianMs - quick.medianMs ? "processor" : "unknown";
}
