/** Tables that somebody published, whose cells stand beside ours: `published` in experiments/NAME.claims.yml. */
import { z } from "zod";

const gain = z.number().positive().nullable();

/** Maximum, mean, minimum; each null where the source cannot be read for certain. */
const cellSchema = z
  .tuple([gain, gain, gain])
  .transform(([max, mean, min]) => ({ max, mean, min }))
  .nullable();
export type PublishedCell = NonNullable<z.infer<typeof cellSchema>>;

/** Row -> column -> cell. Keys are the values of the dimensions ("A", "2", "10/1", "100"), or "average". */
const gridSchema = z.record(z.string(), z.record(z.string(), cellSchema));

const extreme = z.strictObject({ gain: z.number().positive(), condition: z.string().regex(/^\(.*\)$/) }).nullable();
const share = z.strictObject({ count: z.int().nonnegative(), of: z.int().positive() }).nullable();

const caseSchema = z.strictObject({
  best: extreme,
  average: gain,
  worst: extreme,
  atLeast1: share,
  atLeast2: share,
  subsetAverage: gain,
});
/** One case's column of a summary table. */
export type PublishedCase = z.infer<typeof caseSchema>;

/** Tables by the id that the experiment gives them; summaries by id and case. */
export const publishedSchema = z.strictObject({
  source: z.string().min(1),
  tables: z.record(z.string(), gridSchema).default({}),
  summaries: z.record(z.string(), z.record(z.string(), caseSchema)).default({}),
});
export type Published = z.infer<typeof publishedSchema>;

/** The published cell, or null where there is none. */
export const publishedCell = (
  published: Published | null,
  table: string,
  row: string,
  column: string,
): PublishedCell | null => published?.tables[table]?.[row]?.[column] ?? null;

/** The published column of a summary table, or null where there is none. */
export const publishedCase = (published: Published | null, table: string, caseId: string): PublishedCase | null =>
  published?.summaries[table]?.[caseId] ?? null;
