/** What the loads of a page over one link show of each measure. */
import type { Evidence } from "../../schema/evidence.ts";
import { median } from "../statistics/quantile.ts";
import {
  type Bounds,
  type ByMeasure,
  type GateMeasure,
  type GateMeasureName,
  gateMeasures,
  ofMeasure,
} from "./measures.ts";

/** A load that counts: one that ended, or one that never did. */
export interface GateLoad {
  block: number;
  /** Whether it had its load event before the time-out. */
  ended: boolean;
  evidence: Evidence;
}

/** The loads of one side, at most one of each block. */
export interface GateSample {
  /** Block -> what its load shows. */
  byBlock: ByMeasure<ReadonlyMap<number, Bounds>>;
  /** The number of loads, and of those that never ended. */
  size: number;
  endless: number;
}

export type Medians = ByMeasure<Bounds>;
/** The least and the greatest of the loads. */
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

/** A load that never ended takes longer than the time-out. What it requested and received until then is the least that the page does. */
function boundsOf({ of, kind }: GateMeasure, load: GateLoad, timeoutMs: number): Bounds {
  const value = of(load.evidence);
  if (load.ended) return { atLeast: value ?? Infinity, atMost: value ?? Infinity };
  return { atLeast: kind.isTime ? timeoutMs : (value ?? 0), atMost: Infinity };
}

export const mediansOf = (sample: GateSample): Medians => forEachMeasure(({ name }) => over(median, sample, name));

export const rangesOf = (sample: GateSample): Ranges =>
  forEachMeasure(({ name }) => ({
    least: over((all) => Math.min(...all), sample, name),
    most: over((all) => Math.max(...all), sample, name),
  }));

function over(numberOf: (all: number[]) => number, { byBlock }: GateSample, name: GateMeasureName): Bounds {
  const all = [...ofMeasure(byBlock, name).values()];
  return { atLeast: numberOf(all.map(({ atLeast }) => atLeast)), atMost: numberOf(all.map(({ atMost }) => atMost)) };
}
