/** Which loads count, and how many did not. */
import type { FlatCondition, LoadRecord } from "../../../schema/model.ts";
import { axisNames } from "../../../schema/model.ts";

/** The loads of one condition that count: page load time in milliseconds by block, at most one a block. */
export interface Sample {
  condition: FlatCondition;
  byBlock: Map<number, number>;
  /** How many of them are flagged. */
  flagged: number;
  /** How many a whole run has. */
  planned: number;
}

/** What stands behind the tables, in numbers of loads. */
export interface RunCounts {
  /** Blocks with at least one load that counts. */
  blocks: number;
  /** Loads that count, and how many a whole run has. */
  loads: number;
  plannedLoads: number;
  /** Tries that failed, whether or not a later try made up for it. */
  failed: number;
  /** Loads that succeeded where the same block had one already (a run that was resumed): left out. */
  repeated: number;
  /** Lines whose condition is not in the plan: left out. */
  unplanned: number;
  /** Loads that count although `./lab verify` doubts or flags them. */
  flagged: number;
}

export interface CountedLoads {
  samples: Sample[];
  counts: RunCounts;
}

/**
 * Sorts saved loads into samples. Failed loads are counted, never used. Of several that succeeded in one block
 * the first try counts, so that a repetition cannot be used to pick a better time.
 * @param planned the conditions of the experiment, which fix the order of rows and columns. Without them: those
 *   that the loads name, in natural order, so that conditions which no load has reached yet are unknown.
 * @param flagged loads that are counted, and marked
 * @param loadsPerCondition how many loads of each condition a whole run has
 * @param enough whether a condition's times (ms) say so much that no more were to be made
 */
export function countLoads(
  loads: readonly LoadRecord[],
  loadsPerCondition: number,
  planned?: readonly FlatCondition[],
  flagged: ReadonlySet<LoadRecord> = new Set(),
  enough: (timesMs: number[]) => boolean = () => false,
): CountedLoads {
  const conditions = planned ?? conditionsOf(loads);
  const samples = new Map(
    conditions.map((condition) => [condition.condition, newSample(condition, loadsPerCondition)]),
  );
  const counts = { blocks: 0, loads: 0, plannedLoads: 0, failed: 0, repeated: 0, unplanned: 0, flagged: 0 };
  const blocks = new Set<number>();
  for (const load of loads.toSorted((a, b) => a.attempt - b.attempt)) {
    const sample = samples.get(load.condition);
    if (sample === undefined) counts.unplanned += 1;
    else if (!load.ok) counts.failed += 1;
    else if (sample.byBlock.has(load.block)) counts.repeated += 1;
    else {
      sample.byBlock.set(load.block, load.pageLoadMs);
      if (flagged.has(load)) {
        sample.flagged += 1;
        counts.flagged += 1;
      }
      blocks.add(load.block);
      counts.loads += 1;
    }
  }
  for (const sample of samples.values()) {
    if (enough([...sample.byBlock.values()])) sample.planned = sample.byBlock.size;
    counts.plannedLoads += sample.planned;
  }
  return { samples: [...samples.values()], counts: { ...counts, blocks: blocks.size } };
}

const newSample = (condition: FlatCondition, planned: number): Sample => ({
  condition,
  byBlock: new Map(),
  flagged: 0,
  planned,
});

const naturally = new Intl.Collator("en", { numeric: true }).compare;

/** The conditions that the loads name. Loads are shuffled, so their own order says nothing. */
function conditionsOf(loads: readonly LoadRecord[]): FlatCondition[] {
  const unique = new Map(loads.map((load): [string, FlatCondition] => [load.condition, load]));
  const order = (condition: FlatCondition) => axisNames.map((axis) => condition[axis]).join("\n");
  return [...unique.values()].sort((a, b) => naturally(order(a), order(b)));
}
