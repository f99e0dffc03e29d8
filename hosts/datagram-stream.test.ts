import assert from "node:assert/strict";
import { test } from "node:test";
import { numberOffset, openDatagramSocket, sendDatagrams } from "./datagram-stream.ts";

const here = "127.0.0.1";

/** Sends a stream whose sender is blocked once for `busyMs`. @returns the packets that arrive */
async function arriving(atOnce: number, busyMs: number): Promise<{ number: number; bytes: number; atMs: number }[]> {
  const [from, to] = [await openDatagramSocket(here), await openDatagramSocket(here)];
  const arrived: { number: number; bytes: number; atMs: number }[] = [];
  to.on("message", (payload) =>
    arrived.push({ number: payload.readUInt32BE(numberOffset), bytes: payload.length, atMs: performance.now() }),
  );
  const { port } = to.address();
  const plan = { packets: 100, perSecond: 500, payloadBytes: 64, atOnce };
  setTimeout(() => {
    for (const end = performance.now() + busyMs; performance.now() < end; );
  }, 20);
  await sendDatagrams(from, { address: here, port }, plan);
  while (arrived.length < plan.packets) await new Promise((resolve) => setTimeout(resolve, 1));
  for (const socket of [from, to]) socket.close();
  return arrived;
}

/** Returns the most packets that arrived within 8 ms. A stream at its planned pace has four packets in this time. */
const mostAtOnce = (arrived: { atMs: number }[]) =>
  Math.max(...arrived.map(({ atMs }) => arrived.filter((other) => other.atMs >= atMs && other.atMs < atMs + 8).length));

test("sendDatagrams sends each planned packet once, numbered from 1", async () => {
  const arrived = await arriving(2, 0);
  assert.deepEqual(
    arrived.map(({ number }) => number),
    arrived.map((_, i) => i + 1),
  );
  assert.deepEqual([...new Set(arrived.map(({ bytes }) => bytes))], [64]);
});

test("after being blocked, a sender continues at its pace, and catches up only if `atOnce` allows many packets at once", async () => {
  const busyMs = 150; // in which 75 packets are due
  assert.ok(mostAtOnce(await arriving(2, busyMs)) < 40);
  assert.ok(mostAtOnce(await arriving(1000, busyMs)) > 60);
});
