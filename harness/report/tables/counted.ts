/** Which loads count, and how many did not. */
import { metrics } from "../../../metrics/registry.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { Observed } from "../../judge/observed.ts";

/** The loads of one condition that count: their times in milliseconds by block, at most one a block. */
export interface Sample {
  condition: Condition;
  /** Infinity for a load that never ended: it is longer than any other, and than `timeoutMs`. */
  byBlock: Map<number, number>;
  timeoutMs?: number | undefined;
  /** How many of them are marked. */
  flagged: number;
  /** How many a whole run has. */
  planned: number;
}

/** A load, as far as it is counted. */
export interface CountedLoad {
  condition: string;
  block: number;
  attempt: number;
  observed: Observed;
  metrics: Readonly<Record<string, number | null>>;
  /** It is invalid or flagged. */
  marked: boolean;
}

/** What stands behind the tables, in numbers of loads. */
export interface RunCounts {
  /** Blocks with at least one load that counts. */
  blocks: number;
  /** Loads that count, and how many a whole run has. */
  loads: number;
  plannedLoads: number;
  /** Of these, those that never ended: they count as longer than the time-out, and no later attempt replaces them. */
  unfinished: number;
  /** Attempts that failed, whether or not a later attempt succeeded. */
  failed: number;
  /** Loads that succeeded where the same block had one already (a run that was resumed): left out. */
  repeated: number;
  /** Lines whose condition is not in the plan: left out. */
  unplanned: number;
  /** Loads that count although they are invalid or flagged. */
  flagged: number;
}

export interface CountedLoads {
  samples: Sample[];
  counts: RunCounts;
}

export interface CountOptions {
  /** Of the experiment: they fix the order of rows and columns. */
  conditions: readonly Condition[];
  /** How many loads of each condition a whole run has. */
  loadsPerCondition: number;
  /** The field that is counted; a load without it does not count. */
  metric: string;
  /** After which a load was given up. */
  timeoutMs?: number | undefined;
  /** Conditions whose loads are all marked; asked when all loads were read. */
  neverConfirmed?: () => ReadonlySet<string>;
}

/**
 * Sorts saved loads into samples, one at a time. Loads that observed nothing are counted, never used. Of several in
 * one block the first attempt counts, so that a repetition cannot be used to pick a better time.
 */
export function countLoads(loads: Iterable<CountedLoad>, options: CountOptions): CountedLoads {
  const { conditions, loadsPerCondition, metric, timeoutMs, neverConfirmed = () => new Set() } = options;
  const tallies = new Map(conditions.map((condition) => [condition.id, new Tally(condition, timeoutMs)]));
  const counts = { failed: 0, repeated: 0, unplanned: 0 };
  for (const { condition, block, attempt, observed, metrics: values, marked } of loads) {
    const tally = tallies.get(condition);
    const endless = observed === "longer" && metrics[metric]?.untilLoaded;
    const value = endless ? Infinity : observed === "time" ? values[metric] : null;
    if (tally === undefined) counts.unplanned++;
    else if (value == null) counts.failed++;
    else if (!tally.add(block, attempt, value, marked)) counts.repeated++;
  }
  const unconfirmed = neverConfirmed();
  const samples = [...tallies].map(([id, tally]) => tally.sample(loadsPerCondition, unconfirmed.has(id)));
  const sum = (of: (sample: Sample) => number) => samples.reduce((total, sample) => total + of(sample), 0);
  return {
    samples,
    counts: {
      ...counts,
      blocks: new Set(samples.flatMap(({ byBlock }) => [...byBlock.keys()])).size,
      loads: sum(({ byBlock }) => byBlock.size),
      unfinished: sum(({ byBlock }) => [...byBlock.values()].filter((value) => value === Infinity).length),
      plannedLoads: sum(({ planned }) => planned),
      flagged: sum(({ flagged }) => flagged),
    },
  };
}

class Tally {
  readonly #condition: Condition;
  readonly #timeoutMs: number | undefined;
  readonly #byBlock = new Map<number, number>();
  /** Of blocks whose load is not a first attempt, which it is. */
  readonly #attempts = new Map<number, number>();
  readonly #marked = new Set<number>();

  constructor(condition: Condition, timeoutMs: number | undefined) {
    this.#condition = condition;
    this.#timeoutMs = timeoutMs;
  }

  /** @returns whether its block had none before */
  add(block: number, attempt: number, value: number, marked: boolean): boolean {
    const fresh = !this.#byBlock.has(block);
    if (!fresh && (this.#attempts.get(block) ?? 1) <= attempt) return false;
    this.#byBlock.set(block, value);
    if (attempt > 1) this.#attempts.set(block, attempt);
    else this.#attempts.delete(block);
    if (marked) this.#marked.add(block);
    else this.#marked.delete(block);
    return fresh;
  }

  sample(planned: number, allMarked: boolean): Sample {
    const [condition, byBlock] = [this.#condition, this.#byBlock];
    return {
      condition,
      byBlock,
      timeoutMs: this.#timeoutMs,
      flagged: allMarked ? byBlock.size : this.#marked.size,
      planned,
    };
  }
}
