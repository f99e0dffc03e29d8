/** A/A: compares the loads of odd blocks with those of even blocks. The true speedup is always 1: an interval without 1 is a false positive. */
import { binomialDistribution } from "simple-statistics";
import { type ComparedExperiment, contrast, isGrid } from "../harness/plan/comparisons.ts";
import { median, quantile } from "../harness/statistics/quantile.ts";
import { resampleBlocks } from "../harness/statistics/resample.ts";
import type { Sample } from "../harness/tables/counted.ts";
import { averageKey, type Cell, gridTable } from "../harness/tables/grid.ts";
import { filterLabel, matches } from "../harness/tables/scenario.ts";
import { type ResampledSpeedup, resampleMedians, speedupsOf } from "../harness/tables/speedups.ts";
import type { Values } from "../schema/plan.ts";

export type AaGroup = ReturnType<typeof groupOf>;

type MaybeInterval = Pick<ResampledSpeedup, "speedup" | "interval">;

const arm = { baseline: { arm: "odd" }, option: { arm: "even" } };

/** Compares each condition with itself: block 1 with block 2, 3 with 4, and so on. @returns the speedups in the order of the samples */
export function selfSpeedups(samples: readonly Sample[]): ResampledSpeedup[] {
  const arms = samples.flatMap((sample) => [armOf(sample, arm.baseline, 1), armOf(sample, arm.option, 0)]);
  const resamples = resampleBlocks(arms.flatMap(({ byBlock }) => [...byBlock.keys()]));
  return speedupsOf("A/A", arm, arms, resampleMedians(arms, resamples));
}

function armOf({ condition, byBlock, ...rest }: Sample, values: Values, remainder: number): Sample {
  const own = [...byBlock].filter(([block]) => block % 2 === remainder);
  const pairs = own.map(([block, timeMs]) => [Math.ceil(block / 2), timeMs] as const);
  return { ...rest, condition: { ...condition, values: { ...condition.values, ...values } }, byBlock: new Map(pairs) };
}

/** @param kindOf id of a condition -> its group: what its packets met on the link, for example "random loss" */
export function aaGroups(
  samples: readonly Sample[],
  experiment: ComparedExperiment,
  kindOf: (condition: string) => string,
): AaGroup[] {
  const speedups = selfSpeedups(samples);
  const kinds = samples.map(({ condition }) => kindOf(condition.id));
  const singles = [...new Set(kinds)].sort().map((kind) =>
    groupOf(
      `one condition: ${kind}`,
      speedups.filter((_, i) => kinds[i] === kind),
    ),
  );
  return [...singles, groupOf("one condition: all", speedups), ...cellGroups(speedups, experiment)].filter(
    ({ number }) => number > 0,
  );
}

/** Computes the cells of the experiment's tables. In each cell, a side of a comparison is compared with itself. */
function cellGroups(
  speedups: readonly ResampledSpeedup[],
  { baseline, comparisons, tables }: ComparedExperiment,
): AaGroup[] {
  const sides = [baseline, ...Object.values(comparisons).map((one) => contrast(baseline, one).option)];
  const layouts = new Map<string, Cell[]>();
  for (const spec of tables) {
    if (!isGrid(spec)) continue; // other tables have no cells
    const where = filterLabel(spec.where ?? {});
    const label = `cells of ${spec.rows} x ${spec.columns}${where && `, ${where}`}`;
    if (layouts.has(label)) continue; // another comparison has a table of the same cells
    const bySide = sides.map((side) => speedups.filter(({ scenario }) => matches(scenario, side)));
    layouts.set(
      label,
      bySide.flatMap((own) => gridTable(spec, own, null).rows.flatMap(({ cells }) => cells)),
    );
  }
  const isAverage = ({ row, column }: Cell) => row === averageKey || column === averageKey;
  const inner = [...layouts].map(([label, cells]) => groupOf(label, ofCells(cells.filter((cell) => !isAverage(cell)))));
  const averages = ofCells([...layouts.values()].flat().filter(isAverage));
  return [...inner, groupOf("averages of rows, columns and tables", averages, true)];
}

/** Removes duplicates: the average of a row with one cell is the same as the cell. */
function ofCells(cells: readonly Cell[]): MaybeInterval[] {
  const known = cells.flatMap(({ ours }) => (ours ? [{ speedup: ours.geometricMean, interval: ours.interval }] : []));
  return [...new Map(known.map((one) => [JSON.stringify(one), one])).values()];
}

/** @param shareLoads whether speedups share loads. If they do, it is not known how many of their intervals should contain 1. */
function groupOf(label: string, speedups: readonly MaybeInterval[], shareLoads = false) {
  const known = speedups.flatMap(({ speedup, interval }) =>
    speedup !== null && interval !== null ? [{ speedup, interval }] : [],
  );
  const values = known.map(({ speedup }) => speedup);
  const at = (share: number) => (values.length ? quantile(values, share) : Number.NaN);
  return {
    label,
    number: known.length,
    /** The number of intervals that contain 1. */
    holding: known.filter(({ interval: { low, high } }) => low <= 1 && 1 <= high).length,
    /** How many intervals contain 1 in 95% of runs, if each contains 1 with a probability of 95%. */
    expected: shareLoads ? null : binomialRange(known.length),
    median: values.length ? median(values) : Number.NaN,
    percentile5: at(0.05),
    percentile95: at(0.95),
  };
}

/** Computes the central 95% of the binomial distribution with this number of trials and a probability of 0.95. */
export function binomialRange(trials: number): { from: number; to: number } {
  let sum = 0;
  const cumulated = (trials ? (binomialDistribution(trials, 0.95) ?? []) : [1]).map((share) => (sum += share));
  const first = (share: number) => {
    const at = cumulated.findIndex((below) => below >= share);
    return at < 0 ? trials : at;
  };
  return { from: first(0.025), to: first(0.975) };
}
