import assert from "node:assert/strict";
import { test } from "node:test";
import { stateRows } from "./tcp-states.ts";

test("each TCP state lasts until the next state, and the last state has no duration; a state in recovery is marked as reduced", () => {
  const rows = stateRows({
    at: [10, 25, 40],
    window: [10, 7, 8],
    threshold: [null, 7, 7],
    rtt: [1000, 1001, 1002],
    phase: [0, 3, 0],
  });
  assert.deepEqual(
    rows.map(({ ms, untilMs, window, reduced }) => [ms, untilMs, window, reduced]),
    [
      [1, 2.5, 10, false],
      [2.5, 4, 7, true],
      [4, 4, 8, false],
    ],
  );
  assert.equal(rows[1]!.rttMs, 100.1);
});
