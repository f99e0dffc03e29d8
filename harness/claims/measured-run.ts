/** A saved run for claims: its loads are read once, and summarised for each metric that a claim names. */
import type { Clock } from "../../schema/records.ts";
import { judgedLoads } from "../judge/run/judged-loads.ts";
import type { Manifest } from "../record/manifest.ts";
import { readRun } from "../record/records.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { type Resamples, resampleBlocks } from "../statistics/resample.ts";
import type { Statistic } from "../statistics/statistic.ts";
import { countLoads, countOptionsOf, type Sample } from "../tables/counted.ts";

export interface MeasuredRun {
  clock: Clock;
  experiment: Manifest["experiment"];
  samplesOf(metric: string): readonly Sample[];
  /** Estimates a statistic from all loads of these samples together. */
  estimate(samples: readonly Sample[], statistic: Statistic): Estimate;
}

/** Reads a run that a claim names in addition to the experiment's run. The seed differs, because the blocks of different runs are independent. */
export const otherRun = (name: string): MeasuredRun => measuredRun(name, { seed: 2, isNamed: true });

/** The runs that were read, cached because several documents have claims about the same run. */
const read = new Map<string, MeasuredRun>();

/** @param options isNamed: whether a claim names this run; if so, the run's scenarios have the axis values that --with set */
export function measuredRun(name: string, { seed = 1, isNamed = false } = {}): MeasuredRun {
  const key = JSON.stringify([name, seed, isNamed]);
  const run = read.get(key) ?? measured(name, seed, isNamed);
  read.set(key, run);
  return run;
}

function measured(name: string, seed: number, isNamed: boolean): MeasuredRun {
  const run = readRun(name);
  const { manifest } = run;
  const loads = [...judgedLoads(run)];
  // A claim is about all scenarios of its experiment. Scenarios that --only or --with left out have samples without loads.
  const options = countOptionsOf({ ...manifest, only: [], with: isNamed ? manifest.with : [] });
  const counted = new Map<string, readonly Sample[]>();
  const blocks = Array.from({ length: manifest.loads }, (_, i) => i + 1);
  const resamples = resampleBlocks(blocks, undefined, seed);
  return {
    clock: manifest.clock,
    experiment: manifest.experiment,
    estimate: keptEstimates(resamples),
    samplesOf(metric) {
      const samples = counted.get(metric) ?? countLoads(loads, { ...options, metric }).samples;
      counted.set(metric, samples);
      return samples;
    },
  };
}

/** Caches estimates of single conditions, because many claims share them. Estimates over several conditions are computed each time. */
export function keptEstimates(resamples: Resamples): MeasuredRun["estimate"] {
  const kept = new WeakMap<Sample, Map<string, Estimate>>();
  return (samples, statistic) => {
    const [sample] = samples;
    if (!sample || samples.length > 1) return statistic.estimate(samples, resamples);
    const own = kept.get(sample) ?? new Map<string, Estimate>();
    const estimate = own.get(statistic.title) ?? statistic.estimate(samples, resamples);
    kept.set(sample, own.set(statistic.title, estimate));
    return estimate;
  };
}
