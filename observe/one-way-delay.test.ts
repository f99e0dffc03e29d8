/** A synthetic link, whose rate and delay are known. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sighting } from "../schema/observation.ts";
import { oneWayDelays } from "./one-way-delay.ts";

const delayMs = 50;
const takesMs = (bytes: number, mbps: number) => (bytes * 8) / 1000 / mbps;
const packet = (timeMs: number, mark: number, bytes = 1514): Sighting => [timeMs, bytes, mark];

/** Arrivals at the end of a link: each packet arrives after the delay, and after the packets ahead of it. */
function through(sent: Sighting[], mbps: number): Sighting[] {
  let freeMs = 0;
  return sent.map(([sentMs, bytes, mark]) => {
    freeMs = Math.max(freeMs, sentMs + delayMs) + takesMs(bytes, mbps);
    return [freeMs, bytes, mark];
  });
}

const burst = (fromMs: number, count: number, mark: number) =>
  Array.from({ length: count }, (_, i) => packet(fromMs + i * 0.01, mark + i));

test("a link's delay and rate are measured from its packets", () => {
  for (const mbps of [2, 10, 20]) {
    const sent = [packet(0, 1, 66), ...burst(100, 10, 10), ...burst(400, 4, 30)];
    const seen = oneWayDelays([sent], through(sent, mbps).reverse())!;
    assert.equal(seen.packets, 15);
    assert.deepEqual(seen.least, { ms: Math.round((delayMs + takesMs(66, mbps)) * 1000) / 1000, bytes: 66 });
    assert.equal(seen.mostMs.toFixed(1), (delayMs + takesMs(15140, mbps) - 0.09).toFixed(1));
    const { packets, bytes, ms } = seen.backToBack!;
    assert.deepEqual([packets, bytes], [9, 9 * 1514]);
    assert.equal(ms.toFixed(2), takesMs(bytes, mbps).toFixed(2));
  }
});

test("backToBack is null if the sender spaced out its packets", () => {
  const sent = Array.from({ length: 10 }, (_, i) => packet(i * 20, i));
  assert.equal(oneWayDelays([sent], through(sent, 10))?.backToBack, null);
});

test("sentAtOnceBytes are the bytes ahead of the last packet in the largest burst", () => {
  const spaced = Array.from({ length: 10 }, (_, i) => packet(i * 0.2, i)); // any three consecutive packets are within 0.5 ms
  const bytes = (sent: Sighting[]) => oneWayDelays([sent], through(sent, 10))!.sentAtOnceBytes;
  assert.equal(bytes(spaced), 2 * 1514);
  assert.equal(bytes([...burst(100, 4, 10), ...burst(300, 10, 30), packet(301, 50)]), 9 * 1514);
  assert.equal(bytes([packet(0, 1), packet(20, 2)]), 0);
  assert.equal(bytes([packet(0, 1, 66), packet(0.1, 2)]), 66, "only the small packet is ahead of the large one");
});

test("a series of back-to-back packets ends at a loss, and at a packet whose departure was not captured", () => {
  const sent = [packet(0, 50, 66), ...burst(100, 9, 0)];
  const arrived = through(
    sent.filter(([, , mark]) => mark !== 4), // lost before the bottleneck, so it takes no transmission time there
    10,
  );
  const foreign = packet(arrived[7]![0] - 0.1, 99);
  const seen = oneWayDelays([sent], [...arrived, foreign])!;
  assert.equal(seen.packets, 9);
  assert.equal(seen.backToBack?.packets, 5);
});

test("if one of two identical packets is lost, the other packet's arrival is counted, but its delay is not used", () => {
  const sent = [packet(0, 7), packet(300, 7), packet(600, 8)];
  const seen = oneWayDelays([sent], through(sent.slice(1), 10))!;
  assert.deepEqual([seen.packets, seen.mostMs], [2, delayMs + 1.211]);
});

test("a reset that is identical to a reset of the previous load is matched with its own departure", () => {
  const sent = [packet(95, 7, 54), packet(101, 7, 54), packet(104, 8, 66)];
  const seen = oneWayDelays([sent], through(sent, 10), { fromMs: 100 })!;
  assert.deepEqual([seen.packets, seen.least.bytes, seen.reordered], [2, 66, 0]);
});

test("the measurement is null if no packet was captured at both ends", () =>
  assert.equal(oneWayDelays([[packet(0, 1)]], [packet(60, 2)]), null));

test("packets count as reordered only relative to packets from the same host", () => {
  const [first, second] = [packet(0, 1), packet(5, 2)];
  const arrived = [packet(60, 2), packet(63, 1)];
  assert.equal(oneWayDelays([[first, second]], arrived)?.reordered, 1);
  assert.equal(oneWayDelays([[first], [second]], arrived)?.reordered, 0);
  assert.equal(oneWayDelays([[first, second]], [packet(60, 1), packet(63, 2)])?.reordered, 0);
});

test("backToBack leaves out packets that may have been delayed by jitter instead of a queue", () => {
  const sent = [packet(0, 0, 66), ...burst(100, 10, 10)];
  const arrived = through(sent, 10);
  assert.equal(oneWayDelays([sent], arrived, { jitterMs: 5 })?.backToBack?.packets, 5); // the packets that queued for more than 5 ms
  assert.equal(oneWayDelays([sent], arrived, { jitterMs: 50 })?.backToBack, null);
});
