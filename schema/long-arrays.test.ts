import assert from "node:assert/strict";
import { test } from "node:test";
import type { ZodType } from "zod";
import { longColumns, longInts, longRows } from "./long-arrays.ts";

const accepts = (schema: ZodType, value: unknown) => schema.safeParse(value).success;

test("longInts accepts only arrays of safe integers", () => {
  assert.ok(accepts(longInts, []) && accepts(longInts, [1, -2, 2 ** 52]));
  for (const other of [[1.5], ["1"], [null], [2 ** 60], 1, null, {}]) assert.ok(!accepts(longInts, other), `${other}`);
});

test("longRows accepts only arrays of rows that have exactly the given kinds of values", () => {
  const rows = longRows<[number, number, boolean]>("number", "int", "boolean");
  assert.ok(accepts(rows, [[1.5, 2, true]]));
  for (const other of [
    [[1.5, 2]],
    [[1.5, 2, true, 0]],
    [[1.5, 2.5, true]],
    [[Number.NaN, 2, true]],
    [[1, 2, 0]],
    [{}],
    {},
  ])
    assert.ok(!accepts(rows, other), JSON.stringify(other));
});

test("longColumns accepts only objects with exactly the given columns, and its message lists them", () => {
  const columns = longColumns<{ sent: number[]; took: (number | null)[] }>({ sent: "int", took: "int or null" });
  assert.ok(accepts(columns, { sent: [1], took: [null] }));
  for (const other of [{ sent: [1] }, { sent: [null], took: [] }, { sent: [], took: [], more: [] }, null, []])
    assert.ok(!accepts(columns, other), JSON.stringify(other));
  assert.match(columns.safeParse({}).error!.message, /an array for each of sent, took/);
});
