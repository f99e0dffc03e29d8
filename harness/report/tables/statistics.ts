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
 * A ratio of what scatters is too large on average, by half the variance of its logarithm; its redraws, which scatter about
 * it as it does about the truth, are again. Over many settings that adds up to more than chance leaves, so both are taken off.
 */
const intervalOfMean = (gains: readonly ResampledGain[]): Interval | null =>
  meanInterval(
    gains
      .filter(({ gain }) => gain !== null)
      .map((one) => ({ ...one, blocks: blocksOf(one), bias: one.redrawn && one.gain! * logVariance(one.redrawn) })),
  );

/** A number with its value in every redraw; null where it has no interval. */
export interface Resampled {
  redrawn: Float64Array | null;
  interval: Interval | null;
  blocks: number;
  /** By how much its redraws are too large on average. */
  bias: number | null;
}

/** Of the mean of several, which see the same blocks in each redraw, so that what they share is not averaged away. */
export function meanInterval(values: readonly Resampled[]): Interval | null {
  if (values.length === 1) return values[0]!.interval;
  const redrawn = values.flatMap((value) => (value.redrawn === null ? [] : [value.redrawn]));
  if (redrawn.length < values.length || redrawn.length === 0) return null;
  const bias = mean(values.map((value) => value.bias ?? 0));
  const means = redrawn[0]!.map((_, draw) => mean(redrawn.map((one) => one[draw]!)) - bias);
  return interval95(means, min(values.map(({ blocks }) => blocks)));
}

/** NaN draws are left out. */
export const logVariance = (values: Float64Array): number =>
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
