/** Connections made up of segments, so that every answer is known. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { clientFlows, loadSpans, serverFlows } from "./flows.ts";
import { madePacket } from "./made-packet.ts";
import type { Packet } from "./packet.ts";

const client = "198.18.0.10:40000";
const server = "198.18.1.11:4432";
const mss = 1448;
const clientStart = 0xffffff00; // its numbers wrap
const serverStart = 0xfffff000;

/** Segments are numbered from 0 on; times in milliseconds. */
const segment = (timeMs: number, fromClient: boolean, news: Partial<Packet>): Packet =>
  madePacket({
    timeMs,
    source: fromClient ? client : server,
    destination: fromClient ? server : client,
    window: 64240,
    ...news,
  });
const send = (timeMs: number, number: number) =>
  segment(timeMs, false, { sequence: (serverStart + 1 + number * mss) >>> 0, payloadBytes: mss });
const ack = (timeMs: number, upTo: number, news: Partial<Packet> = {}) =>
  segment(timeMs, true, {
    sequence: (clientStart + 1) >>> 0,
    acknowledgment: (serverStart + 1 + upTo * mss) >>> 0,
    ...news,
  });
const request = (timeMs: number, upTo: number) => ack(timeMs, upTo, { payloadBytes: 300, payload: Buffer.from([23]) });
const handshake = [
  segment(0, true, { syn: true, sequence: clientStart }),
  segment(0.1, false, { syn: true, sequence: serverStart, acknowledgment: (clientStart + 1) >>> 0 }),
  ack(100, 0),
];
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
/** One flight of `window`, its acknowledgments a round trip later, each of which lets out two segments more. */
const slowStart = (window: number) => [
  ...handshake,
  request(101, 0),
  ...range(0, window).map((number) => send(102, number)),
  ...range(1, window + 1).flatMap((upTo) => [
    ack(202 + upTo, upTo),
    send(202.1 + upTo, window + 2 * upTo - 2),
    send(202.1 + upTo, window + 2 * upTo - 1),
  ]),
];
const windowOf = (packets: Packet[]) => serverFlows(packets)[0]?.initcwnd;

test("a turn is what a side takes to answer: the median of several", () => {
  const packets = [
    ...handshake,
    request(101, 0),
    send(102, 0),
    request(152, 1),
    send(154, 1),
    request(204, 2),
    send(205, 2),
  ];
  assert.equal(serverFlows(packets)[0]?.turnMs, 1);
  assert.equal(clientFlows(packets)[0]?.turnMs, 50);
});

for (const window of [1, 2, 3, 4, 10, 16, 32])
  test(`a window of ${window} is seen in what is in flight`, () =>
    assert.deepEqual(windowOf(slowStart(window)), { atLeast: window, atMost: window }));

test("BBR's window grows with all that is acknowledged, and its pauses are pacing: a window that is not full says nothing", () => {
  // A handshake's flight of three is acknowledged, then thirteen go out: ten and three.
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
  // Its least window is four, whatever it began with.
  const small = [
    ...handshake,
    request(101, 0),
    send(102, 0),
    ack(202, 1),
    ...range(1, 5).map((number) => send(203 + number, number)),
  ];
  assert.deepEqual(serverFlows(small, () => true)[0]?.initcwnd, { atLeast: 1, atMost: null });
});

test("a server with little to send shows only that its window is not smaller", () => {
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

test("a server that the client's receive window stops says nothing of its own", () => {
  // As over 100x100-400ms: a program that is slow to read leaves the client half of what it offered; a window of 32 has grown to 64.
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
  assert.deepEqual(windowOf([...scaled, ...offering(20)]), { atLeast: 32, atMost: 20 }, "there was room for more");
  // What one end does not scale, no end does.
  const [syn, ...rest] = scaled;
  const unscaled = [syn!, { ...rest[0]!, windowScale: null }, rest[1]!];
  assert.deepEqual(windowOf([...unscaled, ...offering(20)]), { atLeast: 32, atMost: null });
});

test("what happens after a loss says nothing of the initial window", () => {
  const lossy = [...slowStart(3), ack(300, 3, { sacks: true }), ...range(9, 40).map((number) => send(301, number))];
  assert.deepEqual(windowOf(lossy), { atLeast: 3, atMost: 3 });
  assert.equal(windowOf([handshake[0]!, ...slowStart(3)]), null, "a repeated SYN: Linux begins with less");
});

test("a probe beyond a window that is full says nothing of it, also when requests come meanwhile", () => {
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

test("a segment that was kept back for an acknowledgment that is due is no sign of a full window", () => {
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

test("an answer that had ended was not held back by a window", () => {
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

test("a handshake of two segments leaves windows of 2, 3 and 4 alike", () => {
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

test("segments and retransmissions are counted, also when numbers wrap", () => {
  const [flow] = serverFlows([
    ...handshake,
    request(101, 0),
    send(102, 0),
    send(102, 1),
    send(102, 2),
    ack(202, 1),
    send(400, 1),
    ack(500, 3),
  ]);
  assert.deepEqual(
    [flow?.client, flow?.sentSegments, flow?.retransmittedSegments, flow?.firstFlightSegments],
    [client, 4, 1, 3],
  );
});

test("a server's handshake is what it has sent when the client ends it, also with a request in the same segment", () => {
  const hello = (retry: boolean) => {
    const random = retry ? "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c" : "00".repeat(32);
    return Buffer.from(`16030300500200004c0303${random}20${"11".repeat(32)}1301000004002b0000`, "hex");
  };
  const said = (timeMs: number, upTo: number, type: number) =>
    ack(timeMs, upTo, { payloadBytes: 300, payload: Buffer.from([type]) });
  const [clientHandshake, clientData] = [22, 23];
  const bytes = (retry: boolean, ...client: Packet[]) => {
    const first = { ...send(102, 0), payload: hello(retry) };
    return serverFlows([...handshake, said(101, 0, clientHandshake), first, send(102.1, 1), ...client])[0]
      ?.handshakeBytes;
  };
  assert.equal(bytes(false, ack(202, 1), said(203, 2, clientHandshake), said(310, 9, clientData)), 2 * mss);
  assert.equal(bytes(true, said(203, 1, clientHandshake), said(310, 2, clientData)), 2 * mss);
  assert.equal(bytes(false), null);
  assert.equal(serverFlows([...handshake, request(101, 0), send(102, 0), request(203, 1)])[0]?.handshakeBytes, null);
});

test("the handshake's time is the client's; a repeated SYN has none", () => {
  const seen = handshake.map((packet, i) => ({ ...packet, timeMs: [0, 101.2, 101.3][i]! }));
  assert.equal(clientFlows(seen)[0]?.handshakeMs, 101.2);
  const [twice] = clientFlows([seen[0]!, { ...seen[0]!, timeMs: 50 }, ...seen.slice(1)]);
  assert.deepEqual([twice?.handshakeMs, twice?.answerMs], [null, 101.2]);
});

test("a client that acknowledges each segment at once is told from one that waits for the next, or for its timer", () => {
  const acks = (...events: Packet[]) => clientFlows([...handshake, request(101, 0), ...events])[0]?.firstAcks;
  const quick = [send(202, 0), ack(202, 1), send(202.1, 1), ack(202.1, 2)];
  assert.deepEqual(acks(...quick), { atOnce: 2, delayed: 0 });
  const slow = [send(202, 0), send(202.1, 1), ack(202.1, 2), send(203, 2), ack(243, 3)];
  assert.deepEqual(acks(...slow), { atOnce: 0, delayed: 2 });
  // What was pushed may be acknowledged by who reads it; what follows the next request, or trouble, tells nothing.
  const pushed = [send(202, 0), send(202, 1), ack(202, 2), { ...send(203, 2), push: true }, ack(203.1, 3)];
  assert.deepEqual(acks(...pushed), { atOnce: 0, delayed: 1 });
  assert.deepEqual(acks(...quick, request(203, 2), send(304, 2), send(304, 3), ack(304, 4)), { atOnce: 2, delayed: 0 });
  assert.deepEqual(acks(...quick, send(304, 3), ack(304, 2, { sacks: true })), { atOnce: 2, delayed: 0 });
});

for (const growth of [1, 2])
  test(`a window that grows by ${growth} for each acknowledgment of two is seen so`, () => {
    const flight = [...handshake, request(101, 0), ...range(0, 8).map((number) => send(102, number))];
    const each = 2 + growth;
    const bursts = range(0, 4).flatMap((i) => [
      ack(202 + i, 2 * i + 2),
      ...range(8 + each * i, 8 + each * (i + 1)).map((number) => send(202.1 + i, number)),
    ]);
    const growthOf = (packets: Packet[]) => serverFlows(packets)[0]?.windowGrowth;
    assert.equal(growthOf([...flight, ...bursts]), growth);
    // Two acknowledgments' segments may go out together.
    const kept = [
      ack(202, 2),
      ack(203, 4),
      ...range(8, 8 + 2 * each).map((number) => send(203.1, number)),
      ack(204, 6),
    ];
    assert.equal(growthOf([...flight, ...kept]), growth);
    assert.equal(growthOf(flight), null);
  });

test("a connection that began before is none of the load's", () => {
  assert.deepEqual(serverFlows([send(1, 0), ack(2, 1)]), []);
  const answerAgain = { ...send(1, 0), syn: true, acknowledgment: 7, payloadBytes: 0 };
  assert.deepEqual(serverFlows([answerAgain, { ...ack(2, 0), reset: true }]), []);
});

test("a load's spans: from the SYN to the first request, to the last new data, to the last new acknowledgment", () => {
  const other = (packet: Packet): Packet =>
    Object.fromEntries(
      Object.entries(packet).map(([name, value]) => [name, value === client ? "198.18.0.10:40001" : value]),
    ) as unknown as Packet;
  const load = [
    ...handshake,
    ack(100.4, 0, { payloadBytes: 300, payload: Buffer.from([23]) }), // the middle of the client's hello
    send(100.5, 0),
    request(101, 1),
    send(202, 1),
    ack(203, 2),
    send(300, 2),
    send(300.8, 2), // repeated before its acknowledgment went out
    ack(301, 3),
    send(800, 2), // repeated: nothing new
    ack(900, 3),
  ];
  const spans = { synToRequestMs: 101, requestToLastDataMs: 199, requestToLastAckMs: 200 };
  assert.deepEqual(loadSpans(load), spans);
  const unused = [...handshake, send(950, 0)].map(other);
  assert.deepEqual(loadSpans([...load, ...unused]), spans);
  const nothing = { synToRequestMs: null, requestToLastDataMs: null, requestToLastAckMs: null };
  assert.deepEqual(loadSpans(handshake), nothing);
});

test("a request in the clear begins with its method, right after the handshake", () => {
  const payload = Buffer.from("GET /A/1-h1c.html HTTP/1.1\r\n");
  const load = [...handshake, ack(100.4, 0, { payloadBytes: payload.length, payload }), send(202, 0), ack(203, 1)];
  const { synToRequestMs, requestToLastDataMs } = loadSpans(load);
  assert.deepEqual([synToRequestMs, Math.round(requestToLastDataMs! * 10)], [100.4, 1016]);
});

test("of answers in the clear, what each request took, and from the first byte sent to the last ACK", () => {
  const get = Buffer.from("GET /a HTTP/1.1\r\n");
  const answer = Buffer.from("HTTP/1.1 200 OK\r\n");
  const ask = (timeMs: number, upTo: number, at: number) =>
    ack(timeMs, upTo, { sequence: (clientStart + 1 + at) >>> 0, payloadBytes: get.length, payload: get });
  const load = [
    ...handshake,
    ask(101, 0, 0),
    ask(150, 0, 0), // sent again: the same request
    { ...send(200, 0), payload: answer },
    ack(201, 1),
    send(210, 1),
    send(230, 1), // sent again: nothing new
    ack(231, 2),
    ask(300, 2, get.length),
    send(401, 2),
    ack(402, 3),
  ];
  assert.deepEqual(clientFlows(load)[0]?.exchangesMs, [109, 101]);
  assert.equal(serverFlows(load)[0]?.firstDataToLastAckMs, 202);
  assert.equal(serverFlows(slowStart(3))[0]?.firstDataToLastAckMs, null);
  assert.equal(serverFlows(load.slice(0, -1))[0]?.firstDataToLastAckMs, null, "the last ACK was lost");
});
