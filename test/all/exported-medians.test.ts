/** Medians computed from an export equal the tables' medians: for each committed run, from CSV and Parquet, by independent code. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parquetReadObjects } from "hyparquet";
import { nodeCommand } from "../../substrate/substrate.ts";

const runs = Object.keys(JSON.parse(readFileSync("results/digests.json", "utf8")));
const asText = (csv: Buffer) => readCsv(csv.toString());

/** Parses CSV whose fields may be in quotes. */
function readCsv(text: string): Record<string, string>[] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    lines.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === "\n") lines.push([]);
  }
  const [names = [], ...rows] = lines.filter((line) => line.length > 1);
  return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? ""])));
}

/** Computes the median as pandas and DuckDB do; times with only a lower bound rank last. */
function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)]!, sorted[Math.ceil(middle)]!];
  return low === high ? low : (low + high) / 2;
}

type Field = string | number | boolean | null | undefined;

function mediansOf(rows: Record<string, Field>[], metric: string): Record<string, number> {
  const isThere = (value: Field) => value !== "" && value !== null && value !== undefined;
  const times = new Map<string, number[]>();
  for (const row of rows.filter(({ counts }) => String(counts) === "true")) {
    const isLonger = !isThere(row[metric]) && isThere(row[`${metric}AtLeast`]);
    assert.ok(isLonger || isThere(row[metric]), `${row.condition}, block ${row.block} counts, but has no ${metric}`);
    const id = String(row.condition);
    times.set(id, [...(times.get(id) ?? []), isLonger ? Infinity : Number(row[metric])]);
  }
  return Object.fromEntries([...times].map(([condition, values]) => [condition, median(values)]));
}

for (const run of runs)
  test(`medians computed from the CSV and Parquet exports of ${run} equal the medians in the run's tables`, async () => {
    const lab = (...words: string[]): Buffer => {
      const [program = "", ...rest] = nodeCommand("harness/cli/main.ts", ...words);
      return execFileSync(program, rest, { maxBuffer: 2 ** 30 });
    };
    const { metric } = JSON.parse(readFileSync(`results/${run}/run.json`, "utf8")).experiment;
    const tables = asText(lab("tables", `results/${run}`, "--format", "conditions-csv"));
    const expected = Object.fromEntries(tables.map(({ condition, median }) => [condition!, median!]));
    const parquet = lab("export", `results/${run}`, "--parquet");
    const file = parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.length) as ArrayBuffer;
    for (const rows of [asText(lab("export", `results/${run}`, "--csv")), await parquetReadObjects({ file })]) {
      const found = mediansOf(rows, metric);
      assert.deepEqual(
        Object.fromEntries(
          Object.entries(found).map(([condition, value]) => [condition, Number(value.toPrecision(12))]),
        ),
        Object.fromEntries(
          Object.entries(expected)
            .filter(([, value]) => value !== "")
            .map(([condition, value]) => [condition, Number(Number(value).toPrecision(12))]),
        ),
      );
    }
  });
