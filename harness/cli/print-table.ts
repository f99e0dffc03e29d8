import { inOneLine } from "../../schema/foreign-words.ts";
import { print } from "../output/output.ts";

type Row = Record<string, unknown>;

/** @param rows objects with the same keys, which become the headings of the columns */
export function printTable(rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => inOneLine(String(row[column]))))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i]?.length ?? 0)));
  for (const line of cells)
    print(
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
