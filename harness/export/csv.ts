import { stringify } from "csv-stringify/sync";
import type { Row } from "./rows.ts";

/** Without rows, only the header. */
export const rowsCsv = (rows: readonly Row[], columns: string[]): string =>
  stringify([...rows], { header: true, columns, cast: { boolean: String } });
