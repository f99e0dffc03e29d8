/** Each measure's values in the loads of a page over one link. */
import type { Evidence } from "../../schema/evidence.ts";
import { median } from "../statistics/quantile.ts";
import { type Bounds, type ByMeasure, type GateMeasure, gateMeasures, isUnknown, ofMeasure } from "./measures.ts";

/** A load that counts: it ended, or it was still loading at the time-out. */
export interface GateLoad {
  block: number;
  /** Whether its load event fired before the time-out. */
  ended: boolean;
  evidence: Evidence;
}

/** The loads of one side, at most one per block. */
export interface GateSample {
  /** For each measure: block -> bounds of the value in the block's load. */
  byBlock: ByMeasure<ReadonlyMap<number, Bounds>>;
  /** The number of loads, and how many of these never ended. */
  size: number;
  endless: number;
}

export type Medians = ByMeasure<Bounds>;
export type Ranges = ByMeasure<{ least: Bounds; most: Bounds }>;

const forEachMeasure = <T>(of: (measure: GateMeasure) => T): ByMeasure<T> =>
  Object.fromEntries(Object.values(gateMeasures).map((measure) => [measure.name, of(measure)]));

export function sampleOf(loads: readonly GateLoad[], timeoutMs: number): GateSample {
  return {
    byBlock: forEachMeasure(
      (measure) => new Map(loads.map((load) => [load.block, boundsOf(measure, load, timeoutMs)])),
    ),
    size: loads.length,
    endless: loads.filter(({ ended }) => !ended).length,
  };
}

/** A load that never ended takes longer than the time-out. Its requests and bytes until then are lower bounds; its paint times are unknown. */
function boundsOf({ of, atLeast, untilLoaded }: GateMeasure, load: GateLoad, timeoutMs: number): Bounds {
  const value = of(load.evidence);
  if (load.ended) return { atLeast: value ?? atLeast?.(load.evidence) ?? Infinity, atMost: value ?? Infinity };
  return { atLeast: untilLoaded ? timeoutMs : (value ?? 0), atMost: Infinity };
}

export const mediansOf = ({ byBlock }: GateSample): Medians =>
  forEachMeasure(({ name }) => over([...ofMeasure(byBlock, name).values()], median));

/** Computes each measure's range over the loads that show the measure, or over all loads if no load shows it. */
export const rangesOf = ({ byBlock }: GateSample): Ranges =>
  forEachMeasure((measure) => {
    const own = [...ofMeasure(byBlock, measure.name).values()];
    const shown = own.filter((bounds) => !isUnknown(measure, bounds));
    const all = shown.length ? shown : own;
    return { least: over(all, (ends) => Math.min(...ends)), most: over(all, (ends) => Math.max(...ends)) };
  });

const over = (all: readonly Bounds[], numberOf: (ends: number[]) => number): Bounds => ({
  atLeast: numberOf(all.map(({ atLeast }) => atLeast)),
  atMost: numberOf(all.map(({ atMost }) => atMost)),
});
