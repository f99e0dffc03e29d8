/** Synthetic connections, so that every result is known. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Packet } from "./packet.ts";
import { clientFlows, serverFlows } from "./tcp-flows.ts";
import { ack, client, clientStart, handshake, mss, range, request, send, slowStart } from "./test-packets.fixture.ts";

test("turnMs is the server's median response time in serverFlows, and the client's in clientFlows", () => {
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

test("segments and retransmissions are counted correctly when sequence numbers wrap", () => {
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

test("handshakeBytes are the server's bytes until the client's first data after the ServerHello; after a HelloRetryRequest, until application data", () => {
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

test("tlsHandshakeMs is the time from the client's first SYN to the client's first data after the ServerHello", () => {
  const random = "00".repeat(32);
  const hello = Buffer.from(`16030300500200004c0303${random}20${"11".repeat(32)}1301000004002b0000`, "hex");
  const said = (timeMs: number, upTo: number, type: number) =>
    ack(timeMs, upTo, { payloadBytes: 300, payload: Buffer.from([type]) });
  const again = { ...handshake[0]!, timeMs: 1000 };
  const opened = handshake.map((packet, i) => ({ ...packet, timeMs: [0, 1100, 1101][i]! }));
  const [flow] = clientFlows([
    ...[opened[0]!, again, ...opened.slice(1)],
    ...[said(1101, 0, 22), said(1400, 0, 22), { ...send(1500, 0), payload: hello }, ack(1500, 1), said(1501, 1, 20)],
    said(1600, 1, 23),
  ]);
  assert.deepEqual([flow?.tlsHandshakeMs, flow?.synsAgainMs], [1501, [1000]]);
  assert.equal(clientFlows([...handshake, request(101, 0), send(202, 0)])[0]?.tlsHandshakeMs, null);
});

test("handshakeMs is measured at the client, and is null after a retransmitted SYN", () => {
  const seen = handshake.map((packet, i) => ({ ...packet, timeMs: [0, 101.2, 101.3][i]! }));
  assert.equal(clientFlows(seen)[0]?.handshakeMs, 101.2);
  const [twice] = clientFlows([seen[0]!, { ...seen[0]!, timeMs: 50 }, ...seen.slice(1)]);
  assert.deepEqual([twice?.handshakeMs, twice?.answerMs], [null, 101.2]);
});

test("firstAcks counts immediate and delayed acknowledgments separately", () => {
  const acks = (...events: Packet[]) => clientFlows([...handshake, request(101, 0), ...events])[0]?.firstAcks;
  const quick = [send(202, 0), ack(202, 1), send(202.1, 1), ack(202.1, 2)];
  assert.deepEqual(acks(...quick), { atOnce: 2, delayed: 0 });
  const slow = [send(202, 0), send(202.1, 1), ack(202.1, 2), send(203, 2), ack(243, 3)];
  assert.deepEqual(acks(...slow), { atOnce: 0, delayed: 2 });
  // Not counted: segments with PSH, which may be acknowledged early, and everything after the next request or a loss.
  const pushed = [send(202, 0), send(202, 1), ack(202, 2), { ...send(203, 2), push: true }, ack(203.1, 3)];
  assert.deepEqual(acks(...pushed), { atOnce: 0, delayed: 1 });
  assert.deepEqual(acks(...quick, request(203, 2), send(304, 2), send(304, 3), ack(304, 4)), { atOnce: 2, delayed: 0 });
  assert.deepEqual(acks(...quick, send(304, 3), ack(304, 2, { sacks: true })), { atOnce: 2, delayed: 0 });
});

for (const growth of [1, 2])
  test(`windowGrowth is ${growth} if the window grows by ${growth} for each acknowledgment of two segments`, () => {
    const flight = [...handshake, request(101, 0), ...range(0, 8).map((number) => send(102, number))];
    const each = 2 + growth;
    const bursts = range(0, 4).flatMap((i) => [
      ack(202 + i, 2 * i + 2),
      ...range(8 + each * i, 8 + each * (i + 1)).map((number) => send(202.1 + i, number)),
    ]);
    const growthOf = (packets: Packet[]) => serverFlows(packets)[0]?.windowGrowth;
    assert.equal(growthOf([...flight, ...bursts]), growth);
    // The segments for two acknowledgments may be sent together.
    const kept = [
      ack(202, 2),
      ack(203, 4),
      ...range(8, 8 + 2 * each).map((number) => send(203.1, number)),
      ack(204, 6),
    ];
    assert.equal(growthOf([...flight, ...kept]), growth);
    assert.equal(growthOf(flight), null);
  });

test("serverFlows leaves out a connection that began before the load", () => {
  assert.deepEqual(serverFlows([send(1, 0), ack(2, 1)]), []);
  const answerAgain = { ...send(1, 0), syn: true, acknowledgment: 7, payloadBytes: 0 };
  assert.deepEqual(serverFlows([answerAgain, { ...ack(2, 0), reset: true }]), []);
});

test("without TLS, firstBurstToRestMs is measured, unless a second request comes before the rest of the response", () => {
  const get = Buffer.from("GET /a HTTP/1.1\r\n");
  const answer = Buffer.from("HTTP/1.1 200 OK\r\n");
  const ask = (timeMs: number, upTo: number) => ack(timeMs, upTo, { payloadBytes: get.length, payload: get });
  const burst = [...handshake, ask(101, 0), { ...send(102, 0), payload: answer }, send(102, 1), send(102, 2)];
  const restMs = (packets: typeof burst) => serverFlows(packets)[0]?.firstBurstToRestMs;
  assert.equal(restMs([...burst, ack(202, 3), send(302, 3)]), 200);
  assert.equal(restMs([...burst, ack(202, 3), ask(250, 3), send(302, 3)]), undefined);
  assert.equal(restMs(burst), undefined);
});

test("without TLS, each request's duration and the time from the first data to the last ACK are measured", () => {
  const get = Buffer.from("GET /a HTTP/1.1\r\n");
  const answer = Buffer.from("HTTP/1.1 200 OK\r\n");
  const ask = (timeMs: number, upTo: number, at: number) =>
    ack(timeMs, upTo, { sequence: (clientStart + 1 + at) >>> 0, payloadBytes: get.length, payload: get });
  const load = [
    ...handshake,
    ask(101, 0, 0),
    ask(150, 0, 0), // retransmitted: the same request
    { ...send(200, 0), payload: answer },
    ack(201, 1),
    send(210, 1),
    send(230, 1), // retransmitted: no new data
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

test("the protocols that a ClientHello offers are read from its first segment, even if its second segment arrives first", () => {
  const alpn = Buffer.from("001000050003026832", "hex");
  const hello = Buffer.concat([
    Buffer.from(`16030107000100${"06fc"}0303${"00".repeat(32)}00${"00021301"}0100${"0009"}`, "hex"),
    alpn,
  ]);
  const start = { ...ack(101, 0), payloadBytes: mss, payload: hello };
  const rest = { ...start, sequence: (start.sequence + mss) >>> 0, payload: Buffer.alloc(100) };
  const offeredIn = (...both: Packet[]) => serverFlows([...handshake, ...both, send(102, 0)])[0]?.offered;
  assert.deepEqual(offeredIn(start, { ...rest, timeMs: 101.1 }), ["h2"]);
  assert.deepEqual(offeredIn(rest, { ...start, timeMs: 101.1 }), ["h2"]);
});
