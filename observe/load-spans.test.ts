/** Synthetic loads with known times. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSpans } from "./load-spans.ts";
import type { Packet } from "./packet.ts";
import { ack, client, handshake, mss, request, send } from "./test-packets.fixture.ts";

test("loadSpans measures from the SYN to the first request, and from the request to the last new data and to its acknowledgment", () => {
  const other = (packet: Packet): Packet =>
    Object.fromEntries(
      Object.entries(packet).map(([name, value]) => [name, value === client ? "198.18.0.10:40001" : value]),
    ) as unknown as Packet;
  const load = [
    ...handshake,
    ack(100.4, 0, { payloadBytes: 300, payload: Buffer.from([23]) }), // the middle of the ClientHello
    send(100.5, 0),
    request(101, 1),
    send(202, 1),
    ack(203, 2),
    send(300, 2),
    send(300.8, 2), // retransmitted before its acknowledgment was sent
    ack(301, 3),
    send(800, 2), // retransmitted: no new data
    ack(900, 3),
  ];
  const spans = { synToRequestMs: 101, requestToLastDataMs: 199, requestToLastAckMs: 200 };
  assert.deepEqual(loadSpans(load), spans);
  const unused = [...handshake, send(950, 0), ack(951, 1)].map(other);
  assert.deepEqual(loadSpans([...load, ...unused]), spans);
  const nothing = { synToRequestMs: null, requestToLastDataMs: null, requestToLastAckMs: null };
  assert.deepEqual(loadSpans(handshake), nothing);
});

test("a retransmission that fills a gap counts as new data, even if it also repeats bytes that had arrived", () => {
  const both: Packet = { ...send(800, 1), payloadBytes: 2 * mss };
  const load = [...handshake, ack(100.4, 0), send(100.5, 0), request(101, 1), send(203, 2), both, ack(801, 3)];
  assert.equal(loadSpans(load).requestToLastDataMs, 699);
});

test("requestToLastDataMs ignores data that arrives after the client has closed the connection", () => {
  const load = [...handshake, ack(100.4, 0), send(100.5, 0), request(101, 1), send(203, 1)];
  const closing = [ack(204, 2, { fin: true }), send(900, 2)];
  assert.equal(loadSpans([...load, ...closing]).requestToLastDataMs, 102);
});

test("without TLS, the first segment that starts with an HTTP method is the request", () => {
  const payload = Buffer.from("GET /A/1-h1c.html HTTP/1.1\r\n");
  const load = [...handshake, ack(100.4, 0, { payloadBytes: payload.length, payload }), send(202, 0), ack(203, 1)];
  const { synToRequestMs, requestToLastDataMs } = loadSpans(load);
  assert.deepEqual([synToRequestMs, Math.round(requestToLastDataMs! * 10)], [100.4, 1016]);
});
