/** Values that somebody published, to stand beside ours: experiments/<experiment>.published.yml. */
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

/** A point of a published figure, read for certain; series and panel as the experiment writes their axes' values. */
const pointSchema = z.strictObject({
  x: z.union([z.string(), z.number()]),
  series: z.union([z.string(), z.number()]).optional(),
  panel: z.union([z.string(), z.number()]).optional(),
  y: z.number(),
});

/** Both sides' statistic, and by how many percent the option was better; each null where the source cannot be read for certain. */
const differenceSchema = z
  .tuple([z.number().nullable(), z.number().nullable(), z.number().nullable()])
  .transform(([base, option, betterPercent]) => ({ base, option, betterPercent }));
export type PublishedDifference = z.infer<typeof differenceSchema>;

/** Tables by the id that the experiment gives them; summaries by id and case; figures' points by id. */
export const publishedSchema = z.strictObject({
  source: z.string().min(1),
  tables: z.record(z.string(), gridSchema).default({}),
  summaries: z.record(z.string(), z.record(z.string(), caseSchema)).default({}),
  /** By table, row and case. */
  differences: z.record(z.string(), z.record(z.string(), z.record(z.string(), differenceSchema))).optional(),
  figures: z.record(z.string(), z.array(pointSchema)).optional(),
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

/** The published row's case, or null where there is none. */
export const publishedDifference = (
  published: Published | null,
  table: string,
  row: string,
  caseId: string,
): PublishedDifference | null => published?.differences?.[table]?.[row]?.[caseId] ?? null;
