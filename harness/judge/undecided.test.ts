import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence, LinkEvidence } from "../../schema/evidence.ts";
import { HiddenPool, Undecided } from "./undecided.ts";

test("a condition of which no load shows an axis is named; one of which another load does is not", () => {
  const undecided = new Undecided();
  undecided.add("one", ["initcwnd"]);
  undecided.add("one", ["initcwnd", "congestion"]);
  undecided.add("other", ["initcwnd"]);
  undecided.add("other", []);
  assert.deepEqual(undecided.never(), [{ condition: "one", axis: "initcwnd", loads: 2 }]);
});

/** A load of 500 packets each way, of which so many were lost on their way down. */
const losing = (lostPackets: number): Evidence => {
  const way = { sentPackets: 500 - lostPackets, sentBytes: 0, lostPackets, queueDroppedPackets: 0, queuedPackets: 0 };
  const never = { atStart: null, atEnd: null };
  const link: LinkEvidence = { down: { ...way, ...never }, up: { ...way, sentPackets: 500, lostPackets: 0, ...never } };
  return { link } as Evidence;
};

test("an axis may be hidden as often as losses hide it, not in every load", () => {
  const pool = (hidden: number) => {
    const made = new HiddenPool();
    for (let i = 0; i < 100; i++) made.add(i < hidden ? ["initcwnd"] : [], losing(10), 10);
    return made.tooOften();
  };
  assert.deepEqual(pool(26), []); // 1% of all packets: one of 30 is lost in 26% of loads
  const [found] = pool(60);
  assert.deepEqual([found?.axis, found?.hidden, Math.floor(found!.allowed)], ["initcwnd", 60, 43]);
});

test("where nothing is lost nothing is hidden", () => {
  const pool = new HiddenPool();
  pool.add(["initcwnd"], losing(0), 10);
  assert.equal(pool.tooOften().length, 1);
});
