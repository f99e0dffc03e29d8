import assert from "node:assert/strict";
import { test } from "node:test";
import { tolerance } from "./tolerances.ts";

test("times that are rounded to a tenth of a millisecond, and differ by it, are never too early", () => {
  const tooEarly = Array.from({ length: 100_000 }, (_, tenths) => tenths).filter(
    (tenths) =>
      (tenths + 1) / 10 > tenths / 10 + tolerance.earlyMs || (tenths + 2) / 10 <= tenths / 10 + tolerance.earlyMs,
  );
  assert.deepEqual(tooEarly, []);
});
