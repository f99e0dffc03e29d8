/** When acknowledgments leave, as Linux has it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "./clock.ts";
import { type Receipt, Receiver } from "./receiver.ts";

/** @returns when acknowledgments leave, tenths of milliseconds, of segments that come 0.1 ms apart */
function acknowledgedAt(...numbers: number[]): { at: number; receipt: Receipt }[] {
  const clock = new Clock();
  const left: { at: number; receipt: Receipt }[] = [];
  const receiver: Receiver = new Receiver(
    clock,
    true,
    () => left.push({ at: clock.nowUs / 100, receipt: receiver.receipt() }),
    () => {},
  );
  for (const [i, n] of numbers.entries())
    clock.at(100 * i, () => receiver.came({ start: 1000 * n, end: 1000 * (n + 1), frameBytes: 1066 }));
  clock.runUntil(() => false);
  return left;
}
const times = (...numbers: number[]) => acknowledgedAt(...numbers).map(({ at }) => at);

test("who asked for the connection acknowledges its answer at once", () => assert.deepEqual(times(0), [0]));
test("every second segment is acknowledged, a single one after 40 ms", () =>
  assert.deepEqual(times(0, 1, 2, 3), [0, 2, 403]));
test("beyond a gap three acknowledgments leave at once, then one a millisecond", () =>
  assert.deepEqual(times(0, 2, 3, 4, 5, 6, 7), [0, 1, 2, 3, 14]));
test("what fills a gap is acknowledged at once", () => assert.deepEqual(times(0, 2, 1), [0, 1, 2]));
test("what comes twice is acknowledged at once, and said to", () => {
  const [, , last] = acknowledgedAt(0, 1, 2, 2);
  assert.deepEqual([last?.at, last?.receipt.hadTwice], [3, true]);
});
test("each block beyond a gap makes an acknowledgment longer, up to three", () =>
  assert.deepEqual(
    acknowledgedAt(0, 2, 4, 6).map(({ receipt }) => receipt.frameBytes),
    [66, 78, 86, 94],
  ));
