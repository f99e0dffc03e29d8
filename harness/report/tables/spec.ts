/** The part of an experiment file that says what is compared and which tables are printed. */
import { z } from "zod";
import type { AxisName } from "../../../schema/model.ts";
import { type DimensionName, dimensionNames } from "./dimensions.ts";

const text = z.string().min(1);
const count = z.int().positive();
/** YAML reads the key `1` as text but the value `1` as a number. */
const caseId = z.union([text, z.int()]).transform(String);
const oneOrMore = <T extends z.ZodType>(value: T) =>
  z.union([value.transform((one) => [one]), z.array(value).nonempty()]);

/** Values of some axes: one side of a comparison. At least one. */
export const axisValuesSchema = z
  .strictObject({
    page: text,
    servers: count,
    channel: text,
    protocol: text,
    initcwnd: count,
    server: text,
    congestion: text,
  } satisfies Record<AxisName, z.ZodType>)
  .partial()
  .refine((values) => Object.keys(values).length > 0, "names no axis: at least one is needed");
export type AxisValues = z.infer<typeof axisValuesSchema>;

const caseSchema = z.strictObject({ title: text, option: axisValuesSchema });
export type Case = z.infer<typeof caseSchema>;

/** The keys `base` and `cases` of an experiment: options by id, each compared with the one base. */
export const casesSchema = z.strictObject({ base: axisValuesSchema, cases: z.record(z.string(), caseSchema) });
export type Cases = z.infer<typeof casesSchema>["cases"];

const texts = oneOrMore(text);
const numbers = oneOrMore(z.number().nonnegative());
const filterSchema = z
  .strictObject({
    page: texts,
    servers: numbers,
    rate: oneOrMore(z.string().regex(/^[\d.]+\/[\d.]+$/, 'is not a rate like "10/1"')),
    rtt: numbers,
    loss: numbers,
    queue: numbers,
    channel: texts,
    protocol: texts,
    initcwnd: numbers,
    server: texts,
    congestion: texts,
  } satisfies Record<DimensionName, z.ZodType>)
  .partial();

const gridSchema = z.strictObject({
  id: text,
  title: text,
  case: caseId,
  rows: z.enum(dimensionNames),
  columns: z.enum(dimensionNames),
  where: filterSchema.optional(),
});
/** A table of cells: rows x columns of one case's gains. */
export type GridSpec = z.infer<typeof gridSchema>;

const summarySchema = z.strictObject({
  id: text,
  title: text,
  summary: z.array(caseId).nonempty(),
  subset: filterSchema.optional(),
});
/** A table that sums cases up, as the paper's Table 11. */
export type SummarySpec = z.infer<typeof summarySchema>;
export type TableSpec = GridSpec | SummarySpec;

/** Chosen by the key `summary`, not tried in turn as a union would, so that a message names the wrong key. */
const tableSchema = z.looseObject({}).transform((value, context): TableSpec => {
  const parsed = ("summary" in value ? summarySchema : gridSchema).safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { message, path } of parsed.error.issues) context.addIssue({ code: "custom", message, path });
  return z.NEVER;
});
export const tablesSchema = z.array(tableSchema);

/** What the tables need of an experiment. */
export interface Comparisons {
  base: AxisValues;
  cases: Cases;
  tables: TableSpec[];
}

export interface Problem {
  path: (string | number)[];
  message: string;
}

/** What the schemas cannot see one by one: references between base, cases and tables. Empty if all is well. */
export function comparisonProblems({ base, cases, tables }: Comparisons): Problem[] {
  const problems: Problem[] = [];
  const report = (path: Problem["path"], message: string) => problems.push({ path, message });
  const allowed = Object.keys(cases).join(", ");
  for (const [id, { option }] of Object.entries(cases)) {
    for (const axis of Object.keys(option).filter((name) => !(name in base))) {
      const named = Object.keys(base).join(", ");
      report(["cases", id, "option", axis], `${axis} has no value in base to compare with; base has ${named}`);
    }
  }
  tables.forEach((table, index) => {
    const named = "summary" in table ? table.summary : [table.case];
    for (const id of named.filter((name) => !(name in cases))) {
      report(["tables", index], `there is no case ${id}; there are ${allowed}`);
    }
    if (tables.findIndex(({ id }) => id === table.id) < index) {
      report(["tables", index, "id"], `two tables have the id ${table.id}`);
    }
    if ("summary" in table) return;
    for (const side of ["rows", "columns"] as const) {
      if (changedBy(base).includes(table[side])) {
        report(["tables", index, side], `${table[side]} is what the cases change, so it cannot be laid out`);
      }
    }
    if (table.rows === table.columns) report(["tables", index, "columns"], `${table.columns} is in the rows already`);
  });
  return problems;
}

/** The dimensions that a setting no longer has, once the axes of the base are taken away. */
function changedBy(base: AxisValues): DimensionName[] {
  const link: DimensionName[] = base.channel === undefined ? [] : ["rate", "rtt", "loss", "queue"];
  return [...dimensionNames.filter((name) => name in base), ...link];
}
