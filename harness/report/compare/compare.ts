/** Two runs side by side, condition by condition: what differs, by how much, and what could be the reason. */
import { median, quantile } from "simple-statistics";
import { type FlatCondition, flatten, type LoadRecord } from "../../../schema/model.ts";
import type { SavedRun } from "../../judge/verify.ts";
import { select } from "../../plan/blocks.ts";
import { conditionsOf } from "../../plan/experiment.ts";
import { type Interval, interval95, redrawBlocks, resampledMedians } from "../../statistics/resample.ts";
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
export type Reason = "same" | "chance" | "processor" | "interleaving";

export interface ComparedCondition {
  condition: FlatCondition;
  first: Side;
  second: Side;
  /** Median of the second / of the first. */
  ratio: number;
  /** 95% bootstrap interval of it, each run's blocks drawn for themselves; null with a single load on a side. */
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

export function compareRuns(first: SavedRun, second: SavedRun): Comparison {
  const [a, b] = [samplesOf(first, 1), samplesOf(second, 2)];
  const both = [...a.keys()].filter((id) => b.has(id));
  return {
    compared: both.map((id) => compareCondition(a.get(id)!, b.get(id)!)),
    unmatched: a.size + b.size - 2 * both.length,
  };
}

interface Redrawn {
  condition: FlatCondition;
  side: Side;
  medians: Float64Array | null;
}

/** Of the conditions that have loads. @param seed another for each run: their blocks have nothing in common */
function samplesOf({ manifest, loads }: SavedRun, seed: number): Map<string, Redrawn> {
  const planned = select(conditionsOf(manifest.experiment, manifest.registries.channels), manifest.only).map(flatten);
  const { samples } = countLoads(loads, manifest.loads, planned);
  const redraws = redrawBlocks(
    loads.map(({ block }) => block),
    undefined,
    seed,
  );
  return new Map(
    samples
      .filter(({ byBlock }) => byBlock.size > 0)
      .map(({ condition, byBlock }) => [
        condition.condition,
        {
          condition,
          side: sideOf(
            [...byBlock.values()],
            loads.filter((load) => load.condition === condition.condition),
          ),
          medians: byBlock.size > 1 ? resampledMedians(byBlock, redraws) : null,
        },
      ]),
  );
}

function sideOf(timesMs: number[], loads: LoadRecord[]): Side {
  const evidence = loads.flatMap((load) => (load.ok ? [load.evidence] : []));
  const medianOf = (values: number[]) => (values.length ? median(values) : null);
  const medianMs = median(timesMs);
  return {
    loads: timesMs.length,
    medianMs,
    spread: (quantile(timesMs, 0.9) - quantile(timesMs, 0.1)) / medianMs,
    processorMs: medianOf(evidence.flatMap(({ processor }) => processor?.labMs ?? [])),
    queueDrops: medianOf(evidence.flatMap(({ link }) => link?.down.queueDroppedPackets ?? [])),
  };
}

function compareCondition(
  { condition, side: first, medians: a }: Redrawn,
  { side: second, medians: b }: Redrawn,
): ComparedCondition {
  const ratio = second.medianMs / first.medianMs;
  const interval = a && b ? interval95(a.map((medianMs, draw) => b[draw]! / medianMs)) : null;
  return { condition, first, second, ratio, interval, reason: reasonFor(first, second, ratio, interval) };
}

/** Named in this order: a difference that is none, one that another run might not show, one that CPU time could be, the rest. */
function reasonFor(first: Side, second: Side, ratio: number, interval: Interval | null): Reason {
  if (Math.abs(ratio - 1) <= sameShare) return "same";
  if (!interval || (interval.low <= 1 && interval.high >= 1)) return "chance";
  const [quick, slow] = ratio > 1 ? [first, second] : [second, first];
  return (slow.processorMs ?? 0) - (quick.processorMs ?? 0) >= slow.medianMs - quick.medianMs
    ? "processor"
    : "interleaving";
}
