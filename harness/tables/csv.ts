import { stringify } from "csv-stringify/sync";

/**
 * Prints rows as CSV. A text that a spreadsheet would execute as a formula gets an apostrophe in front, because the run may be somebody else's.
 * @param columns by default, the columns of the first row; without columns and rows, there is no header
 */
export const csvOf = (rows: readonly object[], columns?: readonly string[]): string =>
  stringify([...rows], {
    header: true,
    escape_formulas: true,
    cast: { boolean: String },
    ...(columns && { columns: [...columns] }),
  });
