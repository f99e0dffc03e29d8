/** Synthetic QUIC connections, and the first packets of client and server in the examples of RFC 9001, appendix A. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSpans } from "./load-spans.ts";
import type { QuicDatagram } from "./quic-conversations.ts";
import { quicClientFlows, quicServerFlows } from "./quic-flows.ts";
import { firstCryptoBytes, initialKeys, readQuic } from "./quic-packet.ts";
import { bytes, client, clientInitial, datagram, firstId, server, serverInitial } from "./quic-packets.fixture.ts";
import { quicServerHello } from "./tls-hello.ts";

const clientHandshake = bytes("e3 00000001 08 f067a5502a4262b5 00 04 00000000");
const short = bytes("43 f067a5502a4262b5 0000");

const up = (timeMs: number, payload: Buffer, size?: number) => datagram(timeMs, true, payload, size);
const down = (timeMs: number, payload: Buffer, size?: number) => datagram(timeMs, false, payload, size);
const handshake = [
  up(0, clientInitial),
  up(0.1, clientInitial),
  down(110, serverInitial),
  down(111, short, 300),
  up(111.5, clientHandshake, 80),
  up(112, short, 400),
];

test("a server's Initial is decrypted with keys derived from the connection's first ID, as in the example of RFC 9001", () => {
  const [initial] = readQuic(serverInitial).long;
  const hello = firstCryptoBytes(initial!, initialKeys(firstId, "server"))!;
  assert.equal(hello.subarray(0, 12).toString("hex"), "020000560303eefce7f7b37b");
  assert.deepEqual(quicServerHello(hello), { version: "1.3", group: 0x001d, resumed: false, retry: false });
  assert.equal(
    firstCryptoBytes(initial!, initialKeys(bytes("00"), "server")),
    null,
    "keys of another ID decrypt nothing",
  );
});

test("packets in one datagram are separated, as far as they were captured", () => {
  const { long, short: last } = readQuic(Buffer.concat([clientHandshake, short]));
  assert.deepEqual([long.map(({ type }) => type), last?.bytes], [["handshake"], short]);
  assert.deepEqual(readQuic(clientInitial).short, undefined);
  assert.deepEqual(readQuic(short), { long: [], short: { bytes: short, wholeBytes: short.length } });
  assert.deepEqual(readQuic(bytes("d3 00000001 08 f067a5502a4262b5 00 04")).long[0]?.type, "zeroRtt");
  for (let size = 0; size < clientInitial.length; size++) readQuic(clientInitial.subarray(0, size)); // reading a truncated packet causes no error
});

test("the server's capture shows the kind of handshake, the datagrams that the server sent, and its first flight", () => {
  const [flow, ...others] = quicServerFlows([...handshake, down(213, short, 1200)]);
  assert.deepEqual(others, []);
  assert.deepEqual([flow?.tls, flow?.hello?.group, flow?.client, flow?.server], ["full", 0x001d, client, server]);
  assert.deepEqual(flow?.sent, { datagrams: 3, bytes: 2700 });
  assert.deepEqual(flow?.firstFlight, { datagrams: 2, bytes: 1500 });
  assert.deepEqual(flow?.longHeaders, { initial: 3, zeroRtt: 0, handshake: 1, retry: 0 });
});

test("handshakeMs is the time from the first datagram to the first response, and null if the client's Initial was retransmitted", () => {
  assert.equal(quicClientFlows(handshake)[0]?.handshakeMs, 110);
  const timesOf = ([flow]: ReturnType<typeof quicClientFlows>) => [flow?.handshakeMs, flow?.answerMs];
  assert.deepEqual(timesOf(quicClientFlows([up(-200, clientInitial), ...handshake])), [null, 310]);
  assert.deepEqual(timesOf(quicClientFlows([up(0, clientInitial)])), [null, null]);
});

test("firstNumber is the number of the client's first packet, or null if too little of the packet was captured", () => {
  const start = bytes("c0 00000001 08 8394c8f03e515708 00 00 449e 7b9aec34 d1b1c98dd7689fb8ec11d242b123dc9b d8bab936");
  for (const flows of [quicServerFlows, quicClientFlows]) {
    assert.equal(flows([up(0, start), down(110, serverInitial)])[0]!.firstNumber, 2);
    assert.equal(flows([up(0, start.subarray(0, 30)), down(110, serverInitial)])[0]!.firstNumber, null);
  }
});

test("the ServerHello in the client's capture shows the kind of handshake; without a captured ServerHello the kind is unknown", () => {
  const [flow] = quicClientFlows(handshake);
  assert.deepEqual([flow?.tls, flow?.hello?.resumed], ["full", false]);
  const cut = handshake.map((one) => ({
    ...one,
    packet: { ...one.packet, payload: one.packet.payload.subarray(0, 60) },
  }));
  assert.deepEqual([quicServerFlows(cut)[0]?.tls, quicServerFlows(cut)[0]?.hello], ["unknown", null]);
});

test("quicServerFlows leaves out a connection that began before the load", () =>
  assert.deepEqual(quicServerFlows([down(1, short), up(2, short)]), []));

test("a connection continues when the client changes its port", () => {
  const moved = ({ packet, fromClient }: QuicDatagram): QuicDatagram => {
    const port = "198.18.0.10:40001";
    return { fromClient, packet: { ...packet, ...(fromClient ? { source: port } : { destination: port }) } };
  };
  const elsewhere = moved(up(302, short, 100));
  elsewhere.packet.source = "198.18.0.11:40001";
  const [flow, ...others] = quicServerFlows([
    ...[...handshake, moved(up(300, short, 100)), moved(down(301, short, 1200)), elsewhere],
  ]);
  assert.deepEqual(others, []);
  assert.deepEqual([flow?.client, flow?.sent], [client, { datagrams: 3, bytes: 2700 }]);
});

test("over QUIC, loadSpans takes the client's first short header as the request, and the last datagram as the last acknowledgment", () => {
  const probe = down(400, short, 1400);
  const load = [...handshake, down(213, short, 1200), down(300, short, 500), probe, down(401, short, 30)];
  assert.deepEqual(loadSpans([], load), { synToRequestMs: 112, requestToLastDataMs: 188, requestToLastAckMs: 289 });
});

test("the first request may be in early data, which the client sends before any response", () => {
  const early = up(0.3, bytes("d3 00000001 08 8394c8f03e515708 00 04 00000000"), 300);
  const load = [up(0, clientInitial), early, ...handshake.slice(2), down(213, short, 1200)];
  assert.deepEqual(loadSpans([], load), { synToRequestMs: 0.3, requestToLastDataMs: 212.7, requestToLastAckMs: 212.7 });
  assert.equal(quicServerFlows(load)[0]?.longHeaders.zeroRtt, 1);
});

test("a connection is found even if the token in its first Initial is longer than the captured part", () => {
  const withToken = bytes("c3 00000001 08 8394c8f03e515708 00 4100 00112233445566778899");
  const [flow] = quicServerFlows([up(0, withToken), ...handshake.slice(1)]);
  assert.deepEqual([flow!.tls, flow!.firstFlight.datagrams], ["full", 2]);
  assert.deepEqual(quicClientFlows([up(0, withToken), ...handshake.slice(1)])[0]!.handshakeMs, 110);
});
