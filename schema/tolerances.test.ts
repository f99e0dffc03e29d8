import assert from "node:assert/strict";
import { test } from "node:test";
import { tolerance } from "./tolerances.ts";

test("a time that is 0.1 ms early by rounding is within the tolerance, and a time that is 0.2 ms early is not", () => {
  const tooEarly = Array.from({ length: 100_000 }, (_, tenths) => tenths).filter(
    (tenths) =>
      (tenths + 1) / 10 > tenths / 10 + tolerance.earlyMs || (tenths + 2) / 10 <= tenths / 10 + tolerance.earlyMs,
  );
  assert.deepEqual(tooEarly, []);
});
