/** For tests: makes the sample of one page of a gate from given times. */
import { good } from "../judge/load/sample-load.fixture.ts";
import { type GateSample, sampleOf } from "./sample.ts";

/** Times in milliseconds; null if the load never ended, or never painted. */
export interface MadeUp {
  pageLoadMs: number | null;
  paintMs: number | null;
  layoutShift?: number;
  /** Set if the recording ended before the largest paint. */
  largestIsUnknown?: true;
}

/** @param loads one load per block */
export const madeUpSample = (loads: readonly MadeUp[]): GateSample =>
  sampleOf(
    loads.map(({ pageLoadMs, paintMs, layoutShift, largestIsUnknown }, i) => ({
      block: i + 1,
      ended: pageLoadMs !== null,
      evidence: {
        ...good,
        timing: pageLoadMs === null ? {} : { ...good.timing, loadEventStart: pageLoadMs },
        ...(paintMs !== null && {
          paint: { firstContentfulMs: paintMs, ...(!largestIsUnknown && { largestContentfulMs: paintMs }) },
        }),
        ...(largestIsUnknown && { recordedUntil: "limit" as const }),
        ...(layoutShift !== undefined && { cumulativeLayoutShift: layoutShift }),
      },
    })),
    120_000,
  );

/** Makes loads that paint when they end. */
export const times = (all: readonly (number | null)[]): MadeUp[] => all.map((ms) => ({ pageLoadMs: ms, paintMs: ms }));
