/** A saved run as claims use it: its loads are read once, and counted by each metric that a claim names. */
import type { Clock } from "../../schema/records.ts";
import { judgedLoads } from "../judge/judged-loads.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import { readRun } from "../record/records.ts";
import { countLoads, type Sample } from "../report/tables/counted.ts";
import { type Redraws, redrawBlocks } from "../statistics/resample.ts";

export interface MeasuredRun {
  clock: Clock;
  experiment: Manifest["experiment"];
  samplesOf(metric: string): readonly Sample[];
  redraws: Redraws;
}

/** @param name of its folder in results/ */
export function measuredRun(name: string): MeasuredRun {
  const run = readRun(name);
  const { manifest } = run;
  const loads = [...judgedLoads(run)];
  const conditions = conditionsOfRun(manifest);
  const counted = new Map<string, readonly Sample[]>();
  const blocks = Array.from({ length: manifest.loads }, (_, i) => i + 1);
  return {
    clock: manifest.clock,
    experiment: manifest.experiment,
    redraws: redrawBlocks(blocks),
    samplesOf(metric) {
      const samples =
        counted.get(metric) ??
        countLoads(loads, {
          conditions,
          loadsPerCondition: manifest.loads,
          timeoutMs: manifest.timeoutSeconds * 1000,
          metric,
        }).samples;
      counted.set(metric, samples);
      return samples;
    },
  };
}
