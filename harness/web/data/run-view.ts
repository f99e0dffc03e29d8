/** Computes a run's overview from its saved files alone. The overview refers to conditions by their index in the run. */
import { comparedMetrics } from "../../../metrics/registry.ts";
import type { RunVerdict } from "../../judge/run/run-verdict.ts";
import { conditionsOfRun, type Manifest } from "../../record/manifest.ts";
import { groupText } from "../../tables/modes-markdown.ts";
import type { TablesReport } from "../../tables/report.ts";
import { verdictOf } from "../../verify/verdict.ts";
import { askedSentence, layoutOf, variedAxes } from "./asked.ts";
import { comparisonViews } from "./comparison-views.ts";
import type { Gathered } from "./gathered.ts";

export type RunView = ReturnType<typeof runView>;
export type ConditionView = RunView["conditions"][number];

export function runView(
  folder: string,
  { experiment, ...manifest }: Manifest,
  report: TablesReport,
  found: RunVerdict,
  gathered: readonly Gathered[],
) {
  const { title, metric, unit, counts, noIntervals, digest, publishedSource, comparisons } = report;
  const conditions = conditionsOfRun({ experiment, ...manifest });
  const axes = variedAxes(conditions, manifest.registries);
  const { exitCode, sentence } = verdictOf(found);
  const modes = new Map(report.modes.map(({ condition, groups }) => [condition, groups]));
  const compared = comparisons.map(({ comparison: id }) => id);
  return {
    ...{ folder, title, metric, unit, ...counts, noIntervals, digest, publishedSource },
    asked: askedSentence({ experiment, ...manifest }, conditions, compared),
    /** A load that takes longer than this counts as one that never ended. */
    timeoutMs: manifest.timeoutSeconds * 1000,
    verdict: sentence,
    valid: exitCode === 0,
    axes,
    /** The axes in the rows and columns of heat maps. */
    ...layoutOf(axes, experiment, conditions[0]!),
    measures: comparedMetrics.map(({ name, title, unit }) => ({ name, title, unit })),
    conditions: conditions.map(({ id, values }, place) => ({
      id,
      values: Object.fromEntries(axes.map(({ name }) => [name, values[name]])),
      loads: report.conditions[place]!.loads,
      /** Null without loads, and, because JSON has no Infinity, also if half of the loads or more never ended. */
      median: report.conditions[place]!.median === Infinity ? null : report.conditions[place]!.median,
      neverEnded: report.conditions[place]!.median === Infinity,
      /** A description of each group, if load times fall into a few separate groups. */
      modes: modes.get(id)?.map((group) => groupText(group, unit)) ?? [],
      measures: gathered[place]!.measures,
      parts: gathered[place]!.parts,
    })),
    comparisons: comparisonViews(report, experiment, conditions),
  };
}
