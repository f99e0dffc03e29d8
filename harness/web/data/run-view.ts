/** A run's overview: a pure function of its saved files. */
import { parts } from "../../explain/parts.ts";
import type { RunVerdict } from "../../judge/run-verdict.ts";
import { conditionsOfRun, type Manifest } from "../../record/manifest.ts";
import { measures } from "../../report/measures.ts";
import type { TablesReport } from "../../report/tables/report.ts";
import { verdictOf } from "../../report/verdict.ts";
import { askedSentence, layoutOf, variedAxes } from "./asked.ts";
import { comparisonViews } from "./comparison-views.ts";
import type { Gathered } from "./gathered.ts";
import type { RunView } from "./model.ts";

export function runView(
  folder: string,
  manifest: Manifest,
  report: TablesReport,
  found: RunVerdict,
  gathered: readonly Gathered[],
): Omit<RunView, "figures"> {
  const { experiment, registries, clock, commit, createdAt } = manifest;
  const conditions = conditionsOfRun(manifest);
  const axes = variedAxes(conditions, registries);
  const { exitCode, sentence } = verdictOf(found);
  const { counts } = report;
  return {
    folder,
    title: experiment.title,
    asked: askedSentence(
      manifest,
      conditions,
      report.comparisons.map(({ comparison: id }) => id),
    ),
    clock,
    commit,
    createdAt,
    metric: report.metric,
    unit: report.unit,
    loads: counts.loads,
    planned: counts.plannedLoads,
    blocks: counts.blocks,
    failed: counts.failed,
    flagged: counts.flagged,
    noIntervals: report.noIntervals,
    verdict: sentence,
    valid: exitCode === 0,
    digest: report.digest,
    publishedSource: report.publishedSource,
    axes,
    ...layoutOf(axes, experiment, conditions[0]!),
    measures: measures.map(({ name, title, unit }) => ({ name, title, unit })),
    parts: Object.entries(parts).map(([name, title]) => ({ name, title })),
    conditions: conditions.map(({ id, values }, place) => {
      const { loads, plannedLoads, flaggedLoads, median } = report.conditions[place]!;
      return {
        id,
        values: Object.fromEntries(axes.map(({ name }) => [name, values[name]])),
        loads,
        planned: plannedLoads,
        flagged: flaggedLoads,
        median,
        measures: gathered[place]!.measures,
        parts: gathered[place]!.parts,
      };
    }),
    comparisons: comparisonViews(report, experiment, conditions),
  };
}
