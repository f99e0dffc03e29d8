/** Writes rows as Apache Parquet (https://parquet.apache.org), which contains the types, so that pandas, DuckDB and R can read it directly. */
import { parquetWriteBuffer } from "hyparquet-writer";
import { figureNames, type Row } from "./rows.ts";

export const rowsParquet = (rows: readonly Row[], columns: readonly string[]): Buffer =>
  Buffer.from(
    parquetWriteBuffer({
      columnData: columns.map((name) => columnOf(name, rows)),
      createdBy: "Pageload Lab",
    }),
  );

function columnOf(name: string, rows: readonly Row[]) {
  const data = rows.map((row) => row[name] ?? null);
  const known = data.filter((value) => value !== null);
  const all = (kind: string) => known.length > 0 && known.every((value) => typeof value === kind);
  if (all("boolean")) return { name, data, type: "BOOLEAN" as const };
  if (!figureNames.has(name) && known.length > 0 && known.every(isInt32)) return { name, data, type: "INT32" as const };
  if (all("number") || figureNames.has(name)) return { name, data, type: "DOUBLE" as const };
  return { name, data: data.map((value) => (value === null ? null : String(value))), type: "STRING" as const };
}

const isInt32 = (value: unknown) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
