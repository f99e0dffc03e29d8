/** Each comparison's speedups with the indexes of their conditions, and the means that tables print. */
import type { Condition } from "../../../schema/plan.ts";
import { type ComparedExperiment, contrast, type GridSpec } from "../../plan/comparisons.ts";
import type { Interval } from "../../statistics/resample.ts";
import { laidOut } from "../../tables/grid.ts";
import type { TablesReport } from "../../tables/report.ts";
import { pairsOf } from "../../tables/scenario.ts";
import { contrastInWords } from "./asked.ts";

export type ComparisonView = ReturnType<typeof comparisonViews>[number];
/** One comparison in one scenario. */
export type SpeedupView = ComparisonView["speedups"][number];

/** The ends of an interval. JSON has no Infinity, so an open upper end is null. */
export interface Ends {
  low: number;
  high: number | null;
}
const endsOf = (interval: Interval | null): Ends | null =>
  interval && { low: interval.low, high: interval.high === Infinity ? null : interval.high };

export const comparisonViews = (
  { comparisons, speedups, tables }: TablesReport,
  experiment: ComparedExperiment,
  conditions: readonly Condition[],
) =>
  comparisons.map(({ comparison: id, title }) => {
    const own = speedups.filter((one) => one.comparison === id);
    const sides = contrast(experiment.baseline, experiment.comparisons[id]!);
    const pairs = pairsOf(
      sides,
      conditions.map((condition, place) => ({ condition, place })),
    );
    return {
      id,
      title,
      ...contrastInWords(sides),
      speedups: own.map(({ speedup, bound, interval, flaggedLoads, baselineLoads, optionLoads }, i) => ({
        /** Indexes of both sides' conditions; null if the run does not have the condition. */
        baseline: pairs[i]!.baseline?.place ?? null,
        option: pairs[i]!.option?.place ?? null,
        speedup,
        bound,
        /** True if both sides have loads, but on both sides too many loads never ended. */
        unknown: speedup === null && baselineLoads > 0 && optionLoads > 0,
        interval: endsOf(interval),
        flagged: flaggedLoads,
        loads: baselineLoads + optionLoads,
      })),
      /** Cells of tables: the indexes of a cell's speedups (`over`), the interval of their geometric mean, and the published mean. */
      averages: tables.flatMap((table) => {
        if (table.kind !== "grid" || table.comparison !== id) return [];
        const cells = laidOut(
          experiment.tables.find((spec) => spec.id === table.id) as GridSpec,
          own.map(({ scenario }, place) => ({ scenario, place })),
        ).rows.flatMap((row) => row.cells);
        return table.rows
          .flatMap((row) => row.cells)
          .flatMap(({ ours, published }, i) => {
            const over = cells[i]!.inside.map(({ place }) => place);
            return ours ? [{ over, interval: endsOf(ours.interval), published: published?.mean ?? null }] : [];
          });
      }),
    };
  });
