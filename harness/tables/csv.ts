import { stringify } from "csv-stringify/sync";

/**
 * Rows as CSV with a header, in full precision; a missing number is an empty field. A text that a spreadsheet would take for a formula, as somebody else's
 * run may have one, gets an apostrophe in front.
 * @param columns without them, those of the first row; without rows, too, there is no header
 */
export const csvOf = (rows: readonly object[], columns?: readonly string[]): string =>
  stringify([...rows], {
    header: true,
    escape_formulas: true,
    cast: { boolean: String },
    ...(columns && { columns: [...columns] }),
  });
