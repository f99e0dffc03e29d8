/** Each comparison's speedups with the places of their conditions, and the means that tables have of them. */
import type { Condition } from "../../../schema/plan.ts";
import type { ComparedExperiment, GridSpec, TableSpec } from "../../plan/comparisons.ts";
import { averageKey, type GridTable } from "../../report/tables/grid.ts";
import type { TablesReport } from "../../report/tables/report.ts";
import { contrast, matches, passes, type Scenario, scenarioKey, scenarioOf } from "../../report/tables/scenario.ts";
import type { Speedup } from "../../report/tables/speedups.ts";
import { contrastInWords } from "./asked.ts";
import type { AverageView, ComparisonView, SpeedupView } from "./model.ts";

export function comparisonViews(
  report: TablesReport,
  experiment: ComparedExperiment,
  conditions: readonly Condition[],
): ComparisonView[] {
  return report.comparisons.map(({ comparison: id, title }) => {
    const own = report.speedups.filter((one) => one.comparison === id);
    const sides = contrast(experiment.baseline, experiment.comparisons[id]!);
    const placeOf = (side: "baseline" | "option", scenario: Scenario) => {
      const place = conditions.findIndex(
        ({ values }) =>
          matches(values, sides[side]) && scenarioKey(scenarioOf(values, sides)) === scenarioKey(scenario),
      );
      return place < 0 ? null : place;
    };
    const speedups = own.map(
      ({ scenario, speedup, interval, flaggedLoads, baselineLoads, optionLoads, plannedLoads }): SpeedupView => ({
        baseline: placeOf("baseline", scenario),
        option: placeOf("option", scenario),
        speedup,
        interval,
        flagged: flaggedLoads,
        loads: baselineLoads + optionLoads,
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
  all: readonly Speedup[],
): AverageView[] {
  const grids = tables.filter(
    (table): table is GridTable => table.kind === "grid" && table.comparison === comparisonId,
  );
  return grids.flatMap((table) => {
    const { rows, columns } = specs.find(({ id }) => id === table.id) as GridSpec;
    return table.rows.flatMap(({ cells }) =>
      cells.flatMap(({ row, column, ours, published }): AverageView[] => {
        const holds = ({ scenario }: Speedup) =>
          passes(scenario, table.where) &&
          (row === averageKey || String(scenario[rows]) === row) &&
          (column === averageKey || String(scenario[columns]) === column);
        const over = all.flatMap((one, place) => (holds(one) ? [place] : []));
        return ours ? [{ over, interval: ours.interval, published: published?.mean ?? null }] : [];
      }),
    );
  });
}
