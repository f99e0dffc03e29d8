import assert from "node:assert/strict";
import { test } from "node:test";
import type { Seen } from "../load/load-row.ts";
import { HiddenPool, Inconclusive } from "./inconclusive.ts";

test("never() lists a condition with an axis if none of the condition's loads confirms the axis", () => {
  const inconclusive = new Inconclusive();
  inconclusive.add("one", ["initcwnd"]);
  inconclusive.add("one", ["initcwnd", "congestion"]);
  inconclusive.add("other", ["initcwnd"]);
  inconclusive.add("other", []);
  assert.deepEqual(inconclusive.never(), [{ condition: "one", axis: "initcwnd", loads: 2 }]);
});

/** Makes the counters of a load of 500 packets in each direction, of which this many were lost on the way down. */
const losing = (lostPackets: number): Seen["link"] => {
  const counters = { sentPackets: 500, lostPackets: 0, queueDroppedPackets: 0, queuedPackets: 0 };
  return { down: { ...counters, sentPackets: 500 - lostPackets, lostPackets }, up: counters };
};

test("with 1% loss, an axis may be inconclusive in 26 of 100 loads, but not in 60", () => {
  const pool = (hidden: number) => {
    const made = new HiddenPool();
    for (let i = 0; i < 100; i++) made.add(i < hidden ? ["initcwnd"] : [], losing(10), 10, null);
    return made.tooOften();
  };
  assert.deepEqual(pool(26), []); // with 1% loss, at least one of 30 packets is lost in 26% of loads
  const [found] = pool(60);
  assert.deepEqual([found?.axis, found?.hidden, Math.floor(found!.allowed)], ["initcwnd", 60, 43]);
});

test("if the page's own segments are lost more often than the link's packets, more loads may be inconclusive", () => {
  const pool = new HiddenPool();
  for (let i = 0; i < 100; i++) pool.add(i < 60 ? ["initcwnd"] : [], losing(10), 10, null, 0.05);
  assert.deepEqual(pool.tooOften(), []);
});

test("if the loads of a block share their losses, an axis may be inconclusive in all loads of some blocks", () => {
  const made = new HiddenPool();
  for (let i = 0; i < 100; i++) made.add(i < 60 ? ["initcwnd"] : [], losing(10), 10, Math.floor(i / 20));
  assert.deepEqual(made.tooOften(), []); // three of five blocks; 26% are expected, and four standard deviations of five draws are 78%
});

test("without losses, a single inconclusive load is reported", () => {
  const pool = new HiddenPool();
  pool.add(["initcwnd"], losing(0), 10, null);
  assert.equal(pool.tooOften().length, 1);
});
