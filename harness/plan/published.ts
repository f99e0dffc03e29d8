/** Published tables, whose cells are printed next to the measured cells. They are the key `published` in experiments/NAME.claims.yml. */
import { z } from "zod";

const speedup = z.number().positive().nullable();

/** Maximum, mean, minimum; null if the source is not clearly legible. */
const cellSchema = z
  .tuple([speedup, speedup, speedup])
  .transform(([max, mean, min]) => ({ max, mean, min }))
  .nullable();
export type PublishedCell = NonNullable<z.infer<typeof cellSchema>>;

/** Row -> column -> cell. Keys are values of axes ("A", "2", "10/1", "100"), or "average". */
const gridSchema = z.record(z.string(), z.record(z.string(), cellSchema));

const extreme = z.strictObject({ speedup: z.number().positive(), condition: z.string().regex(/^\(.*\)$/) }).nullable();
const share = z.strictObject({ count: z.int().nonnegative(), of: z.int().positive() }).nullable();

const comparisonSchema = z.strictObject({
  best: extreme,
  average: speedup,
  worst: extreme,
  atLeast1: share,
  atLeast2: share,
  subsetAverage: speedup,
});
/** One comparison's column of a summary table. */
export type PublishedComparison = z.infer<typeof comparisonSchema>;

/** Keys are the ids of tables in the experiment and, inside `summaries`, the ids of comparisons. */
export const publishedSchema = z.strictObject({
  source: z.string().min(1),
  /** The document's name in claims. */
  document: z.string().min(1),
  tables: z.record(z.string(), gridSchema).default({}),
  summaries: z.record(z.string(), z.record(z.string(), comparisonSchema)).default({}),
});
export type Published = z.infer<typeof publishedSchema>;

export const publishedCell = (
  published: Published | null,
  table: string,
  row: string,
  column: string,
): PublishedCell | null => published?.tables[table]?.[row]?.[column] ?? null;

export const publishedComparison = (
  published: Published | null,
  table: string,
  comparisonId: string,
): PublishedComparison | null => published?.summaries[table]?.[comparisonId] ?? null;
