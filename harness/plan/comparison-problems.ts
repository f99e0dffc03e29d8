/** Finds problems of comparisons and tables that their schemas cannot find. */
import { metrics } from "../../metrics/registry.ts";
import type { Values } from "../../schema/plan.ts";
import {
  type ComparedExperiment,
  type Comparisons,
  comparisonsOf,
  contrast,
  type FactorsSpec,
  lostBeside,
  type Problem,
  type TableSpec,
} from "./comparisons.ts";

export function comparisonProblems(experiment: ComparedExperiment): Problem[] {
  const { baseline: usual, comparisons, tables } = experiment;
  const sides = Object.entries(comparisons).flatMap(([id, { option, baseline = usual }]) =>
    Object.keys(option)
      .filter((name) => !(name in baseline))
      .map((axis) => ({
        path: ["comparisons", id, "option", axis],
        message: `baseline has no value of ${axis} to compare with; it has values of ${Object.keys(baseline).join(", ")}`,
      })),
  );
  const allowed = Object.keys(comparisons).join(", ");
  return [
    ...sides,
    ...tables.flatMap((table, index) => [
      ...comparisonsOf(table)
        .filter((id) => !(id in comparisons))
        .map((id) => ({ path: ["tables", index], message: `unknown comparison ${id}; known: ${allowed}` })),
      ...(tables.findIndex(({ id }) => id === table.id) < index
        ? [{ path: ["tables", index, "id"], message: `two tables have the id ${table.id}` }]
        : []),
      ...layoutProblems(table, experiment).map(({ key, message }) => ({ path: ["tables", index, key], message })),
    ]),
  ];
}

function layoutProblems(
  table: TableSpec,
  { baseline: usual, comparisons }: ComparedExperiment,
): { key: string; message: string }[] {
  if ("cells" in table) return factorsProblems(table, usual, comparisons);
  const baselines = comparisonsOf(table).map((id) => comparisons[id]?.baseline ?? usual);
  const changed = lostBeside(baselines.flatMap((baseline) => Object.keys(baseline)));
  const laidOut = { rows: "rows" in table && table.rows, columns: "columns" in table && table.columns };
  const problems = Object.entries(laidOut).flatMap(([key, axis]) =>
    axis && changed.has(axis)
      ? [
          {
            key,
            message: `${axis} is changed by the comparisons, so it cannot be in the rows or columns of this table; use a table with \`cells: speedup\``,
          },
        ]
      : [],
  );
  if ("columns" in table && table.rows === table.columns)
    problems.push({ key: "columns", message: `${table.columns} is in the rows already` });
  if (("medians" in table || "differences" in table) && new Set(baselines.map((one) => JSON.stringify(one))).size > 1)
    problems.push({
      key: "medians" in table ? "medians" : "differences",
      message:
        "these comparisons have different baselines, but this table can have only one: make a table for each baseline",
    });
  return problems;
}

function factorsProblems(
  { cells, rows, columns, comparisons: named, metric }: FactorsSpec,
  usual: Values,
  comparisons: Comparisons,
): { key: string; message: string }[] {
  const problems = rows === columns ? [{ key: "columns", message: `${columns} is in the rows already` }] : [];
  if (cells === "value")
    return named
      ? [...problems, { key: "comparisons", message: "`cells: value` shows no comparisons: leave them out" }]
      : problems;
  if (metric !== undefined && metrics[metric]?.moreIsBetter)
    problems.push({ key: "metric", message: `${metric} has no speedup, because more of it is better` });
  const ids = (named ?? Object.keys(comparisons)).filter((id) => id in comparisons);
  const places = ids.map((id) => {
    const { option } = contrast(usual, comparisons[id]!);
    return JSON.stringify([option[rows] ?? null, option[columns] ?? null]);
  });
  places.forEach((place, i) => {
    const other = places.indexOf(place);
    if (other < i)
      problems.push({
        key: "comparisons",
        message: `${ids[other]} and ${ids[i]} would have the same cells: their options differ in neither ${rows} nor ${columns}`,
      });
  });
  return problems;
}
