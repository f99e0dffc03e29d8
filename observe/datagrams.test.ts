import assert from "node:assert/strict";
import { test } from "node:test";
import { matchStream } from "./datagrams.ts";

const packet = (clientPort: number, number: number, timeMs: number) => ({ clientPort, number, timeMs, bytes: 100 });

test("matchStream returns the delay of each packet that arrived, and the number of packets in each series of consecutive losses", () => {
  const sent = [1, 2, 3, 4].map((number) => packet(4000, number, number));
  const measured = matchStream(sent, [packet(4000, 1, 51), packet(4000, 4, 54)]);
  assert.deepEqual(measured.delaysMs, [50, 50]);
  assert.deepEqual([measured.packets, measured.lostInRow], [4, [2]]);
});

test("of two streams, matchStream measures only the later one, even if the first stream's server is still sending", () => {
  const first = [packet(4000, 1, 0), packet(4000, 2, 1)];
  const again = [packet(4001, 1, 1000), packet(4001, 2, 1001)];
  const measured = matchStream(
    [...first, ...again, packet(4000, 3, 1002)],
    [packet(4000, 2, 51), packet(4001, 1, 1050)],
  );
  assert.deepEqual([measured.packets, measured.delaysMs, measured.lostInRow], [2, [50], [1]]);
  assert.equal(measured.arrived.length, 1);
});
