/** Two runs side by side, condition by condition: what differs, by how much, and what could be the reason. */
import { median, quantile } from "simple-statistics";
import type { Condition } from "../../../schema/plan.ts";
import type { JudgedLoad } from "../../judge/judged-loads.ts";
import { conditionsOfRun, type Manifest } from "../../record/manifest.ts";
import { interval95 } from "../../statistics/estimate.ts";
import { type Interval, resampleBlocks, resampledMedians } from "../../statistics/resample.ts";
import { type Noted, noting } from "../noted.ts";
import { countLoads } from "../tables/counted.ts";

/** One run's loads of a condition; medians. */
export interface Side {
  loads: number;
  medianMs: number;
  /** From the 10th to the 90th percentile, as a share of the median. */
  spread: number;
  /** CPU time of the lab's processes in a load; on a virtual clock, the drawn processing times. */
  processorMs: number | null;
  /** Packets a full queue dropped, down the link. */
  queueDrops: number | null;
}

/** Why a condition's medians differ, as far as the evidence says. */
export type Reason = "same" | "too few" | "chance" | "processor" | "interleaving";

export interface ComparedCondition {
  condition: Condition;
  first: Side;
  second: Side;
  /** Median of the second / of the first. */
  ratio: number;
  /** 95% bootstrap interval of it, each run's blocks drawn for themselves; null with too few loads on a side. */
  interval: Interval | null;
  reason: Reason;
}

export interface Comparison {
  compared: ComparedCondition[];
  /** Conditions that only one of the runs has loads of. */
  unmatched: number;
}

/** Medians this close are the same. */
export const sameShare = 0.02;

/** @param first,second each run's manifest and its loads, read once */
export function compareRuns(first: ComparedRun, second: ComparedRun): Comparison {
  const [a, b] = [samplesOf(first, 1), samplesOf(second, 2)];
  const both = [...a.keys()].filter((id) => b.has(id));
  return {
    compared: both.map((id) => compareCondition(a.get(id)!, b.get(id)!)),
    unmatched: a.size + b.size - 2 * both.length,
  };
}

export interface ComparedRun {
  manifest: Manifest;
  loads: Iterable<JudgedLoad>;
}

interface Resampled {
  condition: Condition;
  side: Side;
  medians: Float64Array;
}

/** Of the conditions that have loads. @param seed another for each run: their blocks have nothing in common */
function samplesOf({ manifest, loads }: ComparedRun, seed: number): Map<string, Resampled> {
  const evidence = new Map<string, Noted>();
  const conditions = conditionsOfRun(manifest);
  const { samples } = countLoads(noting(loads, evidence), {
    conditions,
    loadsPerCondition: manifest.loads,
    metric: manifest.experiment.metric,
  });
  const resamples = resampleBlocks(
    samples.flatMap(({ byBlock }) => [...byBlock.keys()]),
    undefined,
    seed,
  );
  const resampled = samples.map(
    ({ condition, byBlock }): Resampled => ({
      condition,
      side: sideOf([...byBlock.values()], evidence.get(condition.id)),
      medians: resampledMedians(byBlock, resamples),
    }),
  );
  return new Map(resampled.filter(({ side }) => side.loads > 0).map((one) => [one.condition.id, one]));
}

function sideOf(timesMs: number[], noted: Noted = { processorMs: [], queueDrops: [] }): Side {
  const medianOf = (values: number[]) => (values.length ? median(values) : null);
  if (timesMs.length === 0)
    return { loads: 0, medianMs: Number.NaN, spread: Number.NaN, processorMs: null, queueDrops: null };
  const medianMs = median(timesMs);
  return {
    loads: timesMs.length,
    medianMs,
    spread: (quantile(timesMs, 0.9) - quantile(timesMs, 0.1)) / medianMs,
    processorMs: medianOf(noted.processorMs),
    queueDrops: medianOf(noted.queueDrops),
  };
}

function compareCondition(
  { condition, side: first, medians: a }: Resampled,
  { side: second, medians: b }: Resampled,
): ComparedCondition {
  const ratio = second.medianMs / first.medianMs;
  const resampled = a.map((medianMs, draw) => b[draw]! / medianMs);
  const blocks = Math.min(first.loads, second.loads);
  const interval = interval95({ value: ratio, resampled, blocks }, "logarithm");
  return { condition, first, second, ratio, interval, reason: reasonFor(first, second, ratio, interval) };
}

/** Named in this order: a difference that is none, one that another run might not show, one that CPU time could be, the rest. */
function reasonFor(first: Side, second: Side, ratio: number, interval: Interval | null): Reason {
  if (Math.abs(ratio - 1) <= sameShare) return "same";
  if (!interval) return "too few";
  if (interval.low <= 1 && interval.high >= 1) return "chance";
  const [quick, slow] = ratio > 1 ? [first, second] : [second, first];
  return (slow.processorMs ?? 0) - (quick.processorMs ?? 0) >= slow.medianMs - quick.medianMs
    ? "processor"
    : "interleaving";
}
