/** What a cell says of the gains in it: the paper prints maximum, mean and minimum, one above the other. */
import { max, mean, min, variance } from "simple-statistics";
import { type Interval, interval95 } from "../../statistics/resample.ts";
import { blocksOf, type ResampledGain } from "./gains.ts";

export interface CellStatistics {
  max: number;
  mean: number;
  min: number;
  /** 95% bootstrap interval of the mean over blocks; null if one of the gains has none, for too few loads. */
  meanInterval: Interval | null;
}

/** How much of what was planned stands behind a number. */
export interface Basis {
  /** Settings that have a gain, and all settings. */
  settings: number;
  plannedSettings: number;
  /** Loads that count, of both sides, and how many a whole run has. */
  loads: number;
  plannedLoads: number;
  /** Of the loads that count, those that are flagged. */
  flaggedLoads: number;
}

export const isComplete = ({ settings, plannedSettings, loads, plannedLoads }: Basis): boolean =>
  settings === plannedSettings && loads >= plannedLoads;

/** Statistics over the gains that are there; null if none is. Gain is a ratio: no unit. */
export function statisticsOf(gains: readonly ResampledGain[]): CellStatistics | null {
  const values = gains.flatMap(({ gain }) => (gain === null ? [] : [gain]));
  if (values.length === 0) return null;
  return { max: max(values), mean: mean(values), min: min(values), meanInterval: intervalOfMean(gains) };
}

/**
 * The mean in each redraw; all gains see the same blocks there, so what they share is not averaged away. A ratio of what
 * scatters is too large on average, by half the variance of its logarithm; its redraws, which scatter about it as it does
 * about the truth, are again. Over many settings that adds up to more than chance leaves, so both are taken off.
 */
function intervalOfMean(gains: readonly ResampledGain[]): Interval | null {
  const present = gains.filter(({ gain }) => gain !== null);
  if (present.length === 1) return present[0]!.interval;
  const redrawn = present.flatMap((gain) => (gain.redrawn === null ? [] : [gain.redrawn]));
  if (redrawn.length < present.length) return null;
  const bias = mean(present.map(({ gain, redrawn: values }) => gain! * logVariance(values!)));
  const means = redrawn[0]!.map((_, draw) => mean(redrawn.map((values) => values[draw]!)) - bias);
  return interval95(means, min(present.map(blocksOf)));
}

/** NaN draws are left out. */
const logVariance = (values: Float64Array): number =>
  variance([...values].filter((value) => !Number.isNaN(value)).map(Math.log));

export function basisOf(gains: readonly ResampledGain[]): Basis {
  return {
    settings: gains.filter(({ gain }) => gain !== null).length,
    plannedSettings: gains.length,
    loads: gains.reduce((sum, { baseLoads, optionLoads }) => sum + baseLoads + optionLoads, 0),
    plannedLoads: gains.reduce((sum, { plannedLoads }) => sum + plannedLoads, 0),
    flaggedLoads: gains.reduce((sum, { flaggedLoads }) => sum + flaggedLoads, 0),
  };
}
