/** Each case's gains with their places, and the means that tables have of them. */
import type { Condition } from "../../../schema/plan.ts";
import type { ComparedExperiment, GridSpec, TableSpec } from "../../plan/comparisons.ts";
import type { Gain } from "../../report/tables/gains.ts";
import { averageKey, type GridTable } from "../../report/tables/grid.ts";
import type { TablesReport } from "../../report/tables/report.ts";
import { contrast, matches, passes, type Setting, settingKey, settingOf } from "../../report/tables/setting.ts";
import { contrastInWords } from "./asked.ts";
import type { AverageView, CaseView, GainView } from "./model.ts";

export function caseViews(
  report: TablesReport,
  comparisons: ComparedExperiment,
  conditions: readonly Condition[],
): CaseView[] {
  return report.cases.map(({ case: id, title }) => {
    const gains = report.gains.filter((gain) => gain.case === id);
    const sides = contrast(comparisons.baseline, comparisons.comparisons[id]!);
    const placeOf = (side: "base" | "option", setting: Setting) => {
      const place = conditions.findIndex(
        ({ values }) => matches(values, sides[side]) && settingKey(settingOf(values, sides)) === settingKey(setting),
      );
      return place < 0 ? null : place;
    };
    const views = gains.map(
      ({ setting, gain, interval, flaggedLoads, baseLoads, optionLoads, plannedLoads }): GainView => ({
        base: placeOf("base", setting),
        option: placeOf("option", setting),
        gain,
        interval,
        flagged: flaggedLoads,
        loads: baseLoads + optionLoads,
        planned: plannedLoads,
      }),
    );
    return {
      id,
      title,
      ...contrastInWords(sides),
      gains: views,
      averages: averagesOf(report, comparisons.tables, id, gains),
    };
  });
}

/** A table's cell is a mean over the gains of its settings. */
function averagesOf(
  { tables }: TablesReport,
  specs: readonly TableSpec[],
  caseId: string,
  gains: readonly Gain[],
): AverageView[] {
  const grids = tables.filter((table): table is GridTable => table.kind === "grid" && table.case === caseId);
  return grids.flatMap((table) => {
    const { rows, columns } = specs.find(({ id }) => id === table.id) as GridSpec;
    return table.rows.flatMap(({ cells }) =>
      cells.flatMap(({ row, column, ours, published }): AverageView[] => {
        const holds = ({ setting }: Gain) =>
          passes(setting, table.where) &&
          (row === averageKey || String(setting[rows]) === row) &&
          (column === averageKey || String(setting[columns]) === column);
        const over = gains.flatMap((gain, place) => (holds(gain) ? [place] : []));
        return ours ? [{ over, interval: ours.interval, published: published?.mean ?? null }] : [];
      }),
    );
  });
}
