/** Each comparison's speedups with the places of their conditions, and the means that tables have of them. */
import type { Condition } from "../../../schema/plan.ts";
import type { ComparedExperiment, GridSpec, TableSpec } from "../../plan/comparisons.ts";
import type { Gain } from "../../report/tables/gains.ts";
import { averageKey, type GridTable } from "../../report/tables/grid.ts";
import type { TablesReport } from "../../report/tables/report.ts";
import { contrast, matches, passes, type Setting, settingKey, settingOf } from "../../report/tables/setting.ts";
import { contrastInWords } from "./asked.ts";
import type { AverageView, ComparisonView, SpeedupView } from "./model.ts";

export function comparisonViews(
  report: TablesReport,
  experiment: ComparedExperiment,
  conditions: readonly Condition[],
): ComparisonView[] {
  return report.cases.map(({ case: id, title }) => {
    const own = report.gains.filter((one) => one.case === id);
    const sides = contrast(experiment.baseline, experiment.comparisons[id]!);
    const placeOf = (side: "base" | "option", scenario: Setting) => {
      const place = conditions.findIndex(
        ({ values }) => matches(values, sides[side]) && settingKey(settingOf(values, sides)) === settingKey(scenario),
      );
      return place < 0 ? null : place;
    };
    const speedups = own.map(
      ({ setting, gain, interval, flaggedLoads, baseLoads, optionLoads, plannedLoads }): SpeedupView => ({
        baseline: placeOf("base", setting),
        option: placeOf("option", setting),
        speedup: gain,
        interval,
        flagged: flaggedLoads,
        loads: baseLoads + optionLoads,
        planned: plannedLoads,
      }),
    );
    const averages = averagesOf(report, experiment.tables, id, own);
    return { id, title, ...contrastInWords(sides), speedups, averages };
  });
}

/** A table's cell is a mean over the speedups of its scenarios. */
function averagesOf(
  { tables }: TablesReport,
  specs: readonly TableSpec[],
  comparisonId: string,
  all: readonly Gain[],
): AverageView[] {
  const grids = tables.filter((table): table is GridTable => table.kind === "grid" && table.case === comparisonId);
  return grids.flatMap((table) => {
    const { rows, columns } = specs.find(({ id }) => id === table.id) as GridSpec;
    return table.rows.flatMap(({ cells }) =>
      cells.flatMap(({ row, column, ours, published }): AverageView[] => {
        const holds = ({ setting }: Gain) =>
          passes(setting, table.where) &&
          (row === averageKey || String(setting[rows]) === row) &&
          (column === averageKey || String(setting[columns]) === column);
        const over = all.flatMap((one, place) => (holds(one) ? [place] : []));
        return ours ? [{ over, interval: ours.interval, published: published?.mean ?? null }] : [];
      }),
    );
  });
}
