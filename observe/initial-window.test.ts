/** Initial windows, estimated from synthetic first flights. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Packet } from "./packet.ts";
import { serverFlows } from "./tcp-flows.ts";
import { ack, handshake, mss, range, request, send, serverStart, slowStart } from "./test-packets.fixture.ts";

const windowOf = (packets: Packet[]) => serverFlows(packets)[0]?.initcwnd;

for (const window of [1, 2, 3, 4, 10, 16, 32])
  test(`an initial window of ${window} is found from the segments in flight`, () =>
    assert.deepEqual(windowOf(slowStart(window)), { atLeast: window, atMost: window }));

test("with BBR, even a window that is not full is assumed to grow, and pauses give no upper bound", () => {
  // The handshake's flight has three segments. After their acknowledgment, thirteen segments are sent: the initial ten plus three.
  const handshakeFlight = [...handshake, request(101, 0), ...range(0, 3).map((number) => send(102, number))];
  const paced = [
    ...handshakeFlight,
    request(203, 3),
    ...range(3, 16).map((number) => send(204 + number, number)),
    ack(306, 4),
    send(306.1, 16),
  ];
  assert.deepEqual(serverFlows(paced, () => true)[0]?.initcwnd, { atLeast: 10, atMost: null });
  assert.deepEqual(serverFlows(paced)[0]?.initcwnd, { atLeast: 13, atMost: 13 });
  // BBR's window is at least four segments, whatever the initial window was.
  const small = [
    ...handshake,
    request(101, 0),
    send(102, 0),
    ack(202, 1),
    ...range(1, 5).map((number) => send(203 + number, number)),
  ];
  assert.deepEqual(serverFlows(small, () => true)[0]?.initcwnd, { atLeast: 1, atMost: null });
});

test("if a server has little to send, only a lower bound of the window is known", () => {
  assert.deepEqual(
    windowOf([
      ...handshake,
      request(101, 0),
      send(102, 0),
      send(102, 1),
      ack(202, 2),
      request(203, 2),
      send(204, 2),
      send(204, 3),
    ]),
    { atLeast: 2, atMost: null },
  );
});

test("if the client's receive window stops the server, the initial window has no upper bound", () => {
  // Seen on the link 100x100-400ms: the client's program reads slowly, so the client's receive window is only half as large
  // as at first. The server's congestion window has grown from 32 to 64.
  const scale = 9;
  const scaled = handshake.map((packet) => (packet.syn ? { ...packet, windowScale: scale } : packet));
  const offering = (segments: number) =>
    slowStart(32)
      .slice(handshake.length)
      .filter(({ timeMs }) => timeMs < 200)
      .concat(
        ack(202, 32, { window: 63 }),
        ack(618, 32, { window: 63, payloadBytes: 300, payload: Buffer.from([23]) }),
        ...range(32, 32 + segments).map((number) => send(619, number)),
        ack(1020, 34, { window: 63 }),
        send(1020.1, 32 + segments),
      );
  const reached = Math.floor((63 << scale) / mss);
  assert.equal(reached, 22);
  assert.deepEqual(windowOf([...scaled, ...offering(22)]), { atLeast: 32, atMost: null });
  assert.deepEqual(windowOf([...scaled, ...offering(20)]), { atLeast: 32, atMost: 20 }, "the client had room");
  // Windows are scaled only if both ends offer scaling.
  const [syn, ...rest] = scaled;
  const unscaled = [syn!, { ...rest[0]!, windowScale: null }, rest[1]!];
  assert.deepEqual(windowOf([...unscaled, ...offering(20)]), { atLeast: 32, atMost: null });
});

test("events after a loss do not change the estimate of the initial window; after a retransmitted SYN, there is no estimate", () => {
  const lossy = [...slowStart(3), ack(300, 3, { sacks: true }), ...range(9, 40).map((number) => send(301, number))];
  assert.deepEqual(windowOf(lossy), { atLeast: 3, atMost: 3 });
  assert.equal(
    windowOf([handshake[0]!, ...slowStart(3)]),
    null,
    "after a retransmitted SYN, Linux starts with a smaller window",
  );
});

test("a tail loss probe beyond a full window does not raise the estimate, even if requests arrive before the probe", () => {
  const probed = [
    ...handshake,
    request(101, 0),
    ...[0, 1, 2].map((number) => send(102, number)),
    request(150, 0),
    request(290, 0),
    send(302, 3),
  ];
  assert.deepEqual(windowOf(probed), { atLeast: 3, atMost: null });
});

test("if the oldest segment timed out, a tail loss probe does not raise the estimate, even soon after an acknowledgment", () => {
  const probed = [
    ...handshake,
    request(101, 0),
    ...[0, 1, 2].map((number) => send(102, number)),
    ack(380, 1),
    ...[3, 4].map((number) => send(380, number)),
  ];
  assert.deepEqual(windowOf([...probed, send(410, 5)]), { atLeast: 3, atMost: 3 });
});

test("if a server holds a segment back because it expects an acknowledgment, the window does not count as full", () => {
  const keptBack = (ticketMs: number) => [
    ...handshake,
    request(101, 0),
    send(ticketMs, 0), // a TLS ticket; its acknowledgment is delayed
    ...range(1, 9).map((number) => send(180, number)),
    ack(ticketMs + 100, 1),
    send(ticketMs + 100.1, 9),
  ];
  assert.deepEqual(windowOf(keptBack(120)), { atLeast: 9, atMost: null });
  assert.deepEqual(windowOf(keptBack(140)), { atLeast: 9, atMost: 9 });
});

test("if a server stops because the response ends, the window does not count as full", () => {
  const packets = [
    ...handshake,
    request(101, 0),
    send(102, 0),
    { ...send(102, 1), payloadBytes: 500 },
    ack(202, 1, { acknowledgment: (serverStart + 1 + mss + 500) >>> 0 }),
    { ...send(202.1, 1), sequence: (serverStart + 1 + mss + 500) >>> 0 },
  ];
  assert.deepEqual(windowOf(packets), { atLeast: 2, atMost: null });
});

test("if the server's handshake takes two segments, initial windows of 2, 3 and 4 cannot be distinguished", () => {
  const packets = [
    ...handshake,
    request(101, 0),
    ...range(0, 2).map((number) => send(102, number)),
    ack(202, 1),
    ack(202.1, 2),
    request(203, 2),
    ...range(2, 6).map((number) => send(204, number)),
    ack(304, 3),
    ...range(6, 8).map((number) => send(304.1, number)),
  ];
  assert.deepEqual(windowOf(packets), { atLeast: 2, atMost: 4 });
});
