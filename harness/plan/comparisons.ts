/** The part of an experiment file that defines comparisons and tables. */
import { z } from "zod";
import { partsOf } from "../../axes/axis.ts";
import { allAxes, axisNames } from "../../axes/registry.ts";
import { metrics } from "../../metrics/registry.ts";
import type { AxisValue, Values } from "../../schema/plan.ts";
import { parseStatistic, statisticNames } from "../statistics/statistic.ts";

export const text = z.string().min(1);
/** YAML reads the key `1` as text but the value `1` as a number. */
export const comparisonId = z.union([text, z.int()]).transform(String);
export const axisName = z.string().refine((name) => axisNames.includes(name), {
  error: ({ input }) => `unknown axis "${input}"; known: ${axisNames.join(", ")}`,
});

const notAStatistic = {
  error: ({ input }: { input?: unknown }) => `"${input}" is not a statistic; allowed are ${statisticNames}`,
};
export const statisticName = z.string(notAStatistic).refine(parseStatistic, notAStatistic);

/** Builds the schema of an object whose keys are axes. @param of returns the schema for a key, from the schema of the axis' values */
export const byAxis = <T extends z.ZodType>(of: (value: z.ZodType<AxisValue>) => T) =>
  z.strictObject(
    Object.fromEntries(allAxes.map(({ name, value }) => [name, of(value).optional()])),
  ) as unknown as z.ZodType<Record<string, z.infer<T>>>;

/** Values of at least one axis: one side of a comparison. */
export const axisValuesSchema: z.ZodType<Values> = byAxis((value) => value).refine(
  (values) => Object.keys(values).length > 0,
  "names no axis: at least one is needed",
);

export const comparisonSchema = z.strictObject({
  title: text,
  option: axisValuesSchema,
  /** The values that the option is compared with; by default the experiment's baseline (since 2026-11-27). */
  baseline: axisValuesSchema.optional(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** The complete values of a comparison's two sides: axes that an option does not name have the baseline's values. */
export interface Contrast {
  baseline: Values;
  option: Values;
}

/** @param usual the experiment's baseline */
export function contrast(usual: Values, { option, baseline = usual }: Comparison): Contrast {
  return { baseline, option: { ...baseline, ...option } };
}

/** The keys `baseline` and `comparisons` of an experiment. */
export const comparisonsSchema = z.strictObject({
  baseline: axisValuesSchema,
  comparisons: z.record(z.string(), comparisonSchema),
});
export type Comparisons = z.infer<typeof comparisonsSchema>["comparisons"];

/** Allowed values by axis. An axis that is not named may have any value. */
export const filterSchema = byAxis((value) =>
  z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(value).nonempty()),
);
export type Filter = z.infer<typeof filterSchema>;

export const gridSchema = z.strictObject({
  id: text,
  title: text,
  comparison: comparisonId,
  rows: axisName,
  columns: axisName,
  where: filterSchema.optional(),
});
/** A table of cells: one comparison's speedups, in rows and columns. */
export type GridSpec = z.infer<typeof gridSchema>;

export const summarySchema = z.strictObject({
  id: text,
  title: text,
  summary: z.array(comparisonId).nonempty(),
  /** Scenarios for which two more lines print the average and the geometric mean. */
  subset: filterSchema.optional(),
  /** The axes in the short notation of a scenario, as in (A,1,10,100,0). Other axes in which scenarios differ are appended. */
  notation: z.array(axisName).default([]),
});
/** A table that summarises comparisons, in the form of the paper's Table 11. */
export type SummarySpec = z.infer<typeof summarySchema>;

export const mediansSchema = z.strictObject({
  id: text,
  title: text,
  medians: z.array(comparisonId).nonempty(),
  where: filterSchema.optional(),
});
/** A table with a row for each scenario: the baseline's median, and each option's median and speedup. */
export type MediansSpec = z.infer<typeof mediansSchema>;

export const differencesSchema = z.strictObject({
  id: text,
  title: text,
  differences: z.array(comparisonId).nonempty(),
  /** By default the experiment's metric. */
  metric: z.enum(Object.keys(metrics)).optional(),
  /** The axis with a row for each value. By default all loads of a side are pooled. */
  rows: axisName.optional(),
  statistics: z.array(statisticName).nonempty().default(["median"]),
  where: filterSchema.optional(),
});
/** A table with statistics of both sides' loads, and by how many percent the option is better. */
export type DifferencesSpec = z.infer<typeof differencesSchema>;

export const factorsSchema = z.strictObject({
  id: text,
  title: text,
  /** The content of a cell: the statistic of its conditions' loads, or the speedup of the comparison whose option has the cell's values. */
  cells: z.enum(["value", "speedup"]),
  /** The axis with a row for each value. Comparisons may change the axes of rows and columns. */
  rows: axisName,
  columns: axisName,
  /** For speedups: the comparisons to show; by default all. */
  comparisons: z.array(comparisonId).nonempty().optional(),
  /** By default the experiment's metric. */
  metric: z.enum(Object.keys(metrics)).optional(),
  statistic: statisticName.default("median"),
  where: filterSchema.optional(),
});
/** A table of two factors: a value, or a speedup, for each combination of two axes' values. */
export type FactorsSpec = z.infer<typeof factorsSchema>;
export type TableSpec = GridSpec | SummarySpec | MediansSpec | DifferencesSpec | FactorsSpec;
export const isGrid = (table: TableSpec): table is GridSpec => "comparison" in table;

const schemaOf = (table: object) => {
  if ("cells" in table) return factorsSchema;
  if ("summary" in table) return summarySchema;
  if ("medians" in table) return mediansSchema;
  return "differences" in table ? differencesSchema : gridSchema;
};

/** Chooses the schema by a key, so that an error message names the wrong key. A union would report the errors of all schemas. */
const tableSchema = z.looseObject({}).transform((value, context): TableSpec => {
  const parsed = schemaOf(value).safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { message, path } of parsed.error.issues) context.addIssue({ code: "custom", message, path });
  return z.NEVER;
});
export const tablesSchema = z.array(tableSchema);

/** Returns the ids of a table's comparisons. For a table of factors, these are only the ids that it names. */
export function comparisonsOf(table: TableSpec): readonly string[] {
  if ("cells" in table) return table.comparisons ?? [];
  if ("summary" in table) return table.summary;
  if ("medians" in table) return table.medians;
  return "differences" in table ? table.differences : [table.comparison];
}

export interface ComparedExperiment {
  baseline: Values;
  comparisons: Comparisons;
  tables: TableSpec[];
}

export interface Problem {
  path: (string | number)[];
  message: string;
}

/** Returns the axes that a scenario omits when `names` are compared: these axes, the axes that they set, and compounds that set one of these. */
export function lostBeside(names: readonly string[]): Set<string> {
  const parts = new Set(allAxes.filter(({ name }) => names.includes(name)).flatMap(partsOf));
  return new Set(allAxes.filter((axis) => partsOf(axis).some((part) => parts.has(part))).map(({ name }) => name));
}
