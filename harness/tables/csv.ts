import { stringify } from "csv-stringify/sync";

/**
 * Rows as CSV with a header, in full precision; a missing number is an empty field. Somebody else's run may have a text that a
 * spreadsheet would execute as a formula: such a text gets an apostrophe in front.
 * @param columns by default those of the first row; without columns and rows, there is no header
 */
export const csvOf = (rows: readonly object[], columns?: readonly string[]): string =>
  stringify([...rows], {
    header: true,
    escape_formulas: true,
    cast: { boolean: String },
    ...(columns && { columns: [...columns] }),
  });
