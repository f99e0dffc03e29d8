/** Fast checks of long arrays: hosts report fifty thousand numbers about a load, and zod's check of each number takes twenty times as long. */
import { z } from "zod";

const kinds = {
  number: (value: unknown) => Number.isFinite(value),
  int: (value: unknown) => Number.isSafeInteger(value),
  boolean: (value: unknown) => typeof value === "boolean",
  "int or null": (value: unknown) => value === null || Number.isSafeInteger(value),
};
type Kind = keyof typeof kinds;

const isArrayOf = (kind: Kind, value: unknown) => Array.isArray(value) && value.every(kinds[kind]);

export const longInts = z.custom<number[]>((value) => isArrayOf("int", value), "it must be an array of integers");

/** Accepts an array of rows. A row has one value of each kind, in this order. */
export function longRows<Row extends readonly unknown[]>(...row: { [Place in keyof Row]: Kind }): z.ZodType<Row[]> {
  const are = row.map((kind) => kinds[kind as Kind]);
  const isRow = (one: unknown) => Array.isArray(one) && one.length === are.length && are.every((is, i) => is(one[i]));
  return z.custom<Row[]>(
    (value) => Array.isArray(value) && value.every(isRow),
    `it must be an array of rows with values of these types: ${row.join("; ")}`,
  );
}

/** Accepts an object that has exactly these columns, each of which is an array with values of its kind. */
export function longColumns<Columns extends object>(columns: Record<keyof Columns, Kind>): z.ZodType<Columns> {
  const all = Object.entries<Kind>(columns);
  return z.custom<Columns>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      Object.keys(value).length === all.length &&
      all.every(([name, kind]) => isArrayOf(kind, (value as Record<string, unknown>)[name])),
    `it must have an array for each of ${all.map(([name]) => name).join(", ")}`,
  );
}
