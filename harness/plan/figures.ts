/** Defines the key `figures` of an experiment, which says what figures are drawn. */
import { z } from "zod";
import { allAxes, axisNames } from "../../axes/registry.ts";
import { defaultMetric, metrics } from "../../metrics/registry.ts";
import { isOfPageLoads } from "../../models/model.ts";
import { models } from "../../models/registry.ts";
import {
  axisName,
  type ComparedExperiment,
  comparisonId,
  filterSchema,
  isGrid,
  type Problem,
  statisticName,
  text,
} from "./comparisons.ts";
import type { Varied } from "./conditions.ts";

export const quantities = ["value", "speedup", "improvement", "improvementPercent"] as const;

export const modelSchema = z.strictObject({
  name: z.string().refine((name) => name in models, {
    error: ({ input }) => `unknown model "${input}"; known: ${Object.keys(models).join(", ")}`,
  }),
  /** The response's size: a number, the axis that has the size, or "page" for a whole page. Not for models of page loads. */
  bytes: z.union([z.int().positive(), axisName]).optional(),
  /** Factor by which the window grows in each round trip of slow start: 1.5 with delayed ACKs. */
  growth: z.number().gt(1).max(2).default(2),
});
export type ModelSpec = z.infer<typeof modelSchema>;

export const figureSchema = z.strictObject({
  /** The name of the figure and of its files. */
  id: z
    .string()
    .regex(/^[\w.-]+$/, "letters, digits, dots, dashes and underscores are allowed, because files have this name"),
  title: text,
  /** A metric's value in each condition, or how a comparison changes it: `speedup` is baseline / option, `improvement` baseline - option. */
  quantity: z.enum(quantities).default("speedup"),
  /** By default the experiment's metric. */
  metric: z.enum(Object.keys(metrics)).optional(),
  /** How a condition's loads are summarised. */
  statistic: statisticName.default("median"),
  x: axisName,
  logarithmic: z.boolean().default(false),
  /** A line for each value of this axis. */
  series: axisName.optional(),
  /** A panel for each value of this axis. */
  panels: axisName.optional(),
  /** By default all comparisons. */
  comparisons: z.array(comparisonId).nonempty().optional(),
  where: filterSchema.optional(),
  /** The id of a table of one comparison's cells: the figure shows its comparison, conditions and published means. */
  table: text.optional(),
  /** Formulas that are drawn with the points. */
  models: z.array(modelSchema).default([]),
});
export const figuresSchema = z.array(figureSchema);
export type FigureSpec = z.infer<typeof figureSchema>;

export const layoutOf = ({ x, series, panels }: FigureSpec): string[] =>
  [x, series, panels].filter((name) => name !== undefined);

export function figureProblems({ comparisons, tables }: ComparedExperiment, figures: readonly FigureSpec[]): Problem[] {
  return figures.flatMap((figure, index) => {
    const problem = (key: string, message: string): Problem => ({ path: ["figures", index, key], message });
    const layout = layoutOf(figure);
    return [
      ...(figures.findIndex(({ id }) => id === figure.id) < index
        ? [problem("id", `two figures have the id ${figure.id}`)]
        : []),
      ...(new Set(layout).size < layout.length ? [problem("x", "x, series and panels must be different axes")] : []),
      ...(figure.comparisons ?? [])
        .filter((id) => !(id in comparisons))
        .map((id) => problem("comparisons", `unknown comparison ${id}; known: ${Object.keys(comparisons).join(", ")}`)),
      ...(figure.quantity === "value" && figure.comparisons
        ? [problem("comparisons", "a figure of values shows all conditions: leave out comparisons")]
        : []),
      ...(figure.models.length > 0 && metrics[figure.metric ?? defaultMetric]?.unit !== "ms"
        ? [problem("models", `models predict milliseconds, but ${figure.metric} has another unit`)]
        : []),
      ...figure.models.flatMap((asked) => bytesProblem(asked) ?? []).map((message) => problem("models", message)),
      ...(figure.table === undefined ? [] : tableProblems(figure, tables).map((message) => problem("table", message))),
    ];
  });
}

function bytesProblem({ name, bytes }: ModelSpec): string | null {
  const isOfPages = isOfPageLoads(models[name]!);
  if (isOfPages === (bytes === undefined)) return null;
  return isOfPages
    ? `model ${name} predicts whole page loads, and gets their sizes from the page: leave out bytes`
    : `model ${name} predicts one response: give its bytes`;
}

function tableProblems(figure: FigureSpec, tables: ComparedExperiment["tables"]): string[] {
  const grids = tables.filter(isGrid);
  const table = grids.find(({ id }) => id === figure.table);
  if (!table) return [`unknown table of cells ${figure.table}; known: ${grids.map(({ id }) => id).join(", ")}`];
  const lines = [table.rows, table.columns].sort();
  const named = [...layoutOf(figure)].sort();
  return [
    ...(named.join() === lines.join()
      ? []
      : [`table ${table.id} has the axes ${lines.join(" and ")}, but the figure has ${named.join(" and ")}`]),
    ...(figure.comparisons || figure.where
      ? ["the table defines the comparison and the scenarios: remove the keys comparisons and where"]
      : []),
    ...(figure.quantity === "speedup" && figure.metric === undefined && figure.statistic === "median"
      ? []
      : ["a table's cells are speedups of medians: leave out quantity, metric and statistic"]),
  ];
}

type Titled = Pick<ComparedExperiment, "baseline"> & { title: string };

/** Returns the figure of an experiment that defines none: all speedups, where x is the first axis that varies and is not compared. */
export function usualFigure({ title, axes, together = [], baseline }: Varied & Titled): FigureSpec {
  const varies = (name: string) => (axes[name]?.length ?? 0) > 1 || new Set(together.map((row) => row[name])).size > 1;
  const free = allAxes.map(({ name }) => name).filter((name) => varies(name) && !(name in baseline));
  return {
    id: "1",
    title,
    quantity: "speedup",
    statistic: "median",
    x: free[0] ?? Object.keys(baseline)[0] ?? axisNames[0]!,
    logarithmic: false,
    models: [],
  };
}
