/** How much the losses of a run's loads may vary by chance, simulated with netem's own random number generator. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lossSeedOf } from "../../plan/seeded.ts";
import { netemLosses } from "../load/netem-draws.fixture.ts";
import { LossPool } from "./pooled-loss.ts";
import { SharedDraws } from "./shared-draws.ts";

const configured = { lossPercent: 1 };
const least = { sentPackets: 0, lostPackets: 0, queueDroppedPackets: 0, queuedPackets: 0 };

/** Pools loads of 150 to 249 packets. The loads of a block share their losses. @returns whether the pool finds the loss as configured */
function isAsConfigured(seed: number, { blocks = 6, perBlock = 6, lossPercent = 1, shares = true }): boolean {
  const pool = new LossPool();
  for (let block = 1; block <= blocks; block++) {
    const drawn = netemLosses(2 * lossSeedOf({ seed }, block), lossPercent / 100, 250);
    for (let i = 0; i < perBlock; i++) {
      const packets = 150 + ((seed + 37 * block + 61 * i) % 100);
      const lostPackets = drawn.slice(0, packets).filter(Boolean).length;
      const down = { ...least, lostPackets, sentPackets: packets - lostPackets };
      pool.add("link", configured, { down, up: { ...least, sentPackets: packets } }, shares ? block : null);
    }
  }
  return pool.losses().find(({ direction }) => direction === "down")!.withinTolerance;
}

const falseAlarms = (gates: number, size: Parameters<typeof isAsConfigured>[1]): number =>
  Array.from({ length: gates }, (_, seed) => isAsConfigured(seed, size)).filter((right) => !right).length;

test("powerSum raises the number of packets that share a draw to a power, and adds up these powers over all draws", () => {
  const draws = new SharedDraws();
  for (const packets of [3, 5]) draws.add(packets, 7); // three draws shared by two packets, two draws of a single packet
  draws.add(4, 8);
  draws.add(6, null);
  draws.add(6, null);
  assert.equal(draws.packets, 24);
  assert.equal(draws.powerSum(2), 3 * 4 + 2 + 4 + 12);
  assert.equal(draws.powerSum(3), 3 * 8 + 2 + 4 + 12);
});

test("of 3,000 runs over a correct link none is refused; if shared losses count as independent, more than 60 of 300 are refused", () => {
  assert.equal(falseAlarms(3000, {}), 0);
  assert.equal(falseAlarms(3000, { blocks: 3, perBlock: 2 }), 0);
  assert.ok(falseAlarms(300, { perBlock: 12, shares: false }) > 60);
});

test("a link that loses 0%, 1.4% or 3% of packets instead of 1% is reported", () => {
  assert.equal(isAsConfigured(1, { blocks: 20, lossPercent: 3 }), false);
  assert.equal(isAsConfigured(1, { blocks: 20, perBlock: 12, lossPercent: 3 }), false);
  assert.equal(isAsConfigured(1, { blocks: 20, lossPercent: 0 }), false);
  assert.equal(isAsConfigured(1, { blocks: 200, lossPercent: 1.4 }), false);
});

test("random losses differ between two blocks of a run, and between two seeds", () => {
  const drawn = [lossSeedOf({ seed: 1 }, 1), lossSeedOf({ seed: 1 }, 2), lossSeedOf({ seed: 2 }, 1)].map((seed) =>
    netemLosses(2 * seed, 0.5, 64)
      .map(Number)
      .join(""),
  );
  assert.equal(new Set(drawn).size, 3);
});
