import assert from "node:assert/strict";
import { test } from "node:test";
import { type PrintedSize, parsePrintedSize, printLike, printsAs } from "./printed-size.ts";

const size = (text: string) => parsePrintedSize(text) as PrintedSize;

test("parsePrintedSize returns a size's bytes and the step of its last digit; 1 KB is 1000 bytes", () => {
  assert.deepEqual(size("12.8 KB"), { text: "12.8 KB", bytes: 12_800, stepBytes: 100 });
  assert.deepEqual(size("46 B"), { text: "46 B", bytes: 46, stepBytes: 1 });
  assert.deepEqual(size("3.0 MB"), { text: "3.0 MB", bytes: 3_000_000, stepBytes: 100_000 });
});

test("parsePrintedSize returns null for a text that is not a size", () => {
  for (const text of ["", "12", "12KB", "12.8 kB", "1.5 B", "-3 KB", "1,5 KB", "1. KB", "0.0001 KB"])
    assert.equal(parsePrintedSize(text), null, text);
});

test("printsAs is true for bytes that round to the printed size, and printLike prints bytes in that size's unit and precision", () => {
  for (const bytes of [2550, 2600, 2649.9]) assert.ok(printsAs(bytes, size("2.6 KB")), String(bytes));
  for (const bytes of [2549.9, 2650]) assert.ok(!printsAs(bytes, size("2.6 KB")), String(bytes));
  assert.equal(printLike(size("2.6 KB"), 2617), "2.6");
  assert.equal(printLike(size("3.0 MB"), 3_020_800), "3.0");
  assert.equal(printLike(size("14 KB"), 13_959), "14");
});
