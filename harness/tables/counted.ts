/** Selects the loads that tables are computed from ("the loads that count"), and counts the loads that are left out. */
import { metrics } from "../../metrics/registry.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Observed } from "../judge/load/observed.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";

/** The loads of one condition that count: their times in milliseconds by block, at most one per block. */
export interface Sample {
  condition: Condition;
  /** Infinity for a load that never ended, which counts as longer than all others, and for a load with only a lower bound. */
  byBlock: Map<number, number>;
  /** Block -> all values of the block's load, for a metric with several values per load; `byBlock` then has their medians. */
  eachByBlock?: ReadonlyMap<number, readonly number[]>;
  timeoutMs?: number | undefined;
  /** Block -> the lower bound of a load's time, if the load ended but the evidence does not show when. The time-out is not such a bound. */
  atLeastMs?: ReadonlyMap<number, number>;
  /** Loads that succeeded but have no value of this metric. */
  unmeasured?: number;
  /** How many of the loads that count are invalid or flagged; all of them, if no load confirmed the condition. */
  flagged: number;
  planned: number;
}

/** Counts the values that the statistics of these samples are computed from: one per load, unless the metric has several in a load. */
export const valuesIn = (samples: readonly Sample[]): number =>
  samples.reduce(
    (sum, { byBlock, eachByBlock }) => sum + (eachByBlock ? [...eachByBlock.values()].flat().length : byBlock.size),
    0,
  );

export function loadCounts(samples: readonly Sample[]) {
  const sum = (of: (sample: Sample) => number) => samples.reduce((total, sample) => total + of(sample), 0);
  return {
    loads: sum(({ byBlock }) => byBlock.size),
    plannedLoads: sum(({ planned }) => planned),
    flaggedLoads: sum(({ flagged }) => flagged),
  };
}

/** The parts of a load that are needed to count it. */
export interface CountedLoad {
  condition: string;
  block: number;
  attempt: number;
  observed: Observed;
  metrics: Readonly<Record<string, number | null>>;
  each?: Readonly<Record<string, readonly number[]>>;
  atLeast?: Readonly<Record<string, number>>;
  /** Whether the load is invalid or flagged. */
  marked: boolean;
}

export interface RunCounts {
  /** Blocks with at least one load that counts. */
  blocks: number;
  /** Loads that count. */
  loads: number;
  plannedLoads: number;
  /** Loads that never ended: they count as longer than the time-out, and no later attempt replaces them. */
  unfinished: number;
  /** Loads that ended, but for which only a lower bound of the metric is known, as when a last acknowledgment was lost. */
  censored: number;
  /** Attempts that failed, whether or not a later attempt succeeded. */
  failed: number;
  /** Loads that are left out because they have no value of this metric, such as a retransmission time without a retransmission. */
  unmeasured: number;
  /** Attempts that are left out because an earlier attempt at the same load counts, as can happen in a resumed run. */
  repeated: number;
  /** Loads that are left out because their condition is not in the plan. */
  unplanned: number;
  /** Loads that count although they are invalid or flagged, or although no load confirmed their condition. */
  flagged: number;
}

export interface CountedLoads {
  samples: Sample[];
  counts: RunCounts;
}

export interface CountOptions {
  /** The experiment's conditions, which give rows and columns their order. */
  conditions: readonly Condition[];
  loadsPerCondition: number;
  /** A load without a value of this metric does not count. */
  metric: string;
  timeoutMs?: number | undefined;
  /** @returns the conditions that no load confirmed, whose loads are all flagged; called after all loads were read */
  neverConfirmed?: () => ReadonlySet<string>;
}

export const countOptionsOf = (manifest: Manifest): CountOptions => ({
  conditions: conditionsOfRun(manifest),
  loadsPerCondition: manifest.loads,
  metric: manifest.experiment.metric,
  timeoutMs: manifest.timeoutSeconds * 1000,
});

type CountedValue = Pick<CountedLoad, "observed" | "metrics" | "atLeast">;

/** Returns the metric's value with which an attempt counts: Infinity if only a lower bound is known, null if the attempt does not count. */
export function countedValue({ observed, metrics: values, atLeast }: CountedValue, metric: string) {
  if (observed === "longer" && metrics[metric]?.untilLoaded) return Infinity;
  if (observed !== "time") return null;
  return values[metric] ?? (atLeast?.[metric] === undefined ? null : Infinity);
}

/** Keeps the first attempt that counts for each condition and block, so that nobody can repeat a load to get a better time. */
export class FirstAttempts<Kept extends { attempt: number }> {
  readonly #byCondition = new Map<string, Map<number, Kept>>();

  of = (condition: string): ReadonlyMap<number, Kept> => this.#byCondition.get(condition) ?? new Map();

  /** @param kept an attempt that counts @returns whether the block already had an attempt */
  add(condition: string, block: number, kept: Kept): boolean {
    const own = this.#byCondition.get(condition) ?? new Map<number, Kept>();
    this.#byCondition.set(condition, own);
    const before = own.get(block);
    if (!before || kept.attempt < before.attempt) own.set(block, kept);
    return before !== undefined;
  }
}

interface Counted {
  attempt: number;
  value: number;
  each: readonly number[] | undefined;
  atLeastMs: number | undefined;
  marked: boolean;
}

/** Sorts saved loads into samples, one at a time. Loads without an observation are counted as failed, and not used. */
export function countLoads(loads: Iterable<CountedLoad>, options: CountOptions): CountedLoads {
  const { conditions, loadsPerCondition, metric, timeoutMs, neverConfirmed = () => new Set() } = options;
  const planned = new Set(conditions.map(({ id }) => id));
  const first = new FirstAttempts<Counted>();
  const counts = { failed: 0, unmeasured: 0, repeated: 0, unplanned: 0 };
  const without = new Map<string, number>();
  for (const load of loads) {
    const { condition, block, attempt, observed, atLeast, marked } = load;
    const value = countedValue(load, metric);
    if (value === null && observed === "time") without.set(condition, (without.get(condition) ?? 0) + 1);
    if (!planned.has(condition)) counts.unplanned++;
    else if (value === null) counts[observed === "time" ? "unmeasured" : "failed"]++;
    else {
      const atLeastMs = value === Infinity && observed === "time" ? atLeast?.[metric] : undefined;
      if (first.add(condition, block, { attempt, value, each: load.each?.[metric], atLeastMs, marked }))
        counts.repeated++;
    }
  }
  const unconfirmed = neverConfirmed();
  const samples = conditions.map((condition): Sample => {
    const own = first.of(condition.id);
    const marked = unconfirmed.has(condition.id) ? own.size : [...own.values()].filter((one) => one.marked).length;
    const unmeasured = without.get(condition.id) ?? 0;
    return { ...valuesOf(own), condition, timeoutMs, unmeasured, flagged: marked, planned: loadsPerCondition };
  });
  return { samples, counts: { ...counts, ...totalsOf(samples) } };
}

function valuesOf(own: ReadonlyMap<number, Counted>): Pick<Sample, "byBlock" | "atLeastMs" | "eachByBlock"> {
  const present = <T>(of: (load: Counted) => T | undefined) =>
    new Map([...own].flatMap(([block, load]) => (of(load) === undefined ? [] : [[block, of(load) as T] as const])));
  const eachByBlock = present(({ each }) => each);
  return {
    byBlock: present(({ value }) => value),
    atLeastMs: present(({ atLeastMs }) => atLeastMs),
    ...(eachByBlock.size > 0 && { eachByBlock }),
  };
}

function totalsOf(samples: readonly Sample[]) {
  const sum = (of: (sample: Sample) => number) => samples.reduce((total, sample) => total + of(sample), 0);
  return {
    blocks: new Set(samples.flatMap(({ byBlock }) => [...byBlock.keys()])).size,
    loads: sum(({ byBlock }) => byBlock.size),
    unfinished: sum(
      ({ byBlock, atLeastMs }) =>
        [...byBlock].filter(([block, value]) => value === Infinity && !atLeastMs?.has(block)).length,
    ),
    censored: sum(({ atLeastMs }) => atLeastMs?.size ?? 0),
    plannedLoads: sum(({ planned }) => planned),
    flagged: sum(({ flagged }) => flagged),
  };
}
