import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { askedIn, prioritiesTable, published } from "./asked-priorities.ts";

test("docs/today.md has each row of the table of priorities, as computed from the run and the published data", () => {
  const table = prioritiesTable([...published(), ...askedIn("results/today/asked-priorities")]);
  const rows = (text: string) => text.split("\n").filter((line) => line.startsWith("|"));
  const cells = (row: string) => row.replaceAll(/ +/g, " ");
  const documented = new Set(rows(readFileSync("docs/today.md", "utf8")).map(cells));
  const missing = rows(table)
    .map(cells)
    .filter((row) => !row.includes("--") && !documented.has(row));
  assert.deepEqual(missing, []);
});
