import assert from "node:assert/strict";
import { test } from "node:test";
import { statisticsOf } from "./capture-statistics.ts";
import { Distribution } from "./distribution.ts";
import { parsePacket, type TracedPacket } from "./tshark.ts";

const [client, server] = ["192.0.2.1:50000", "192.0.2.2:80"];
const packet = (sender: string, timeMs: number, more: Partial<TracedPacket> = {}): TracedPacket => ({
  timeMs,
  connection: 0,
  sender,
  receiver: sender === server ? client : server,
  syn: false,
  ack: true,
  bytes: 0,
  ackMs: null,
  retransmission: false,
  keepAlive: false,
  records: [],
  offers: [],
  hello: null,
  ...more,
});
/** A handshake as captured at the server. The round trip to the client takes 50 ms. */
const handshake = [
  packet(client, 0, { syn: true, ack: false }),
  packet(server, 0.1, { syn: true, ackMs: 0.1 }),
  packet(client, 50.1, { ackMs: 50 }),
];
const twoRequests = [
  packet(client, 60, { bytes: 300 }),
  packet(server, 61, { bytes: 1000, ackMs: 1 }),
  packet(server, 62, { bytes: 500 }),
  packet(client, 111, { ackMs: 50 }),
  packet(client, 1060, { bytes: 300 }),
  packet(client, 1070, { bytes: 300, retransmission: true }),
  packet(server, 1071, { bytes: 1000 }),
  packet(server, 1300, { bytes: 1000, retransmission: true }),
  packet(client, 1350, { ackMs: 50 }),
];
const trace = (...packets: TracedPacket[]) =>
  statisticsOf(
    (async function* () {
      yield* packets;
    })(),
  );

test("a captured connection with two requests has an RTT of 50 ms, 2500 bytes, 25% retransmissions, and objects of 1000 and 1500 bytes", async () => {
  const all = await trace(...handshake, ...twoRequests);
  assert.equal(all.connections, 1);
  assert.equal(all.rttMs.mean, 50);
  assert.equal(all.durationMs.mean, 1350);
  assert.equal(all.connectionBytes.mean, 2500, "retransmitted data counts once");
  assert.equal(all.retransmittedPercent.mean, 25);
  assert.equal(all.requestsPerConnection.mean, 2);
  assert.deepEqual(
    all.objectBytes.curve().map(({ value }) => value),
    [1000, 1500],
  );
  assert.equal(all.bytesByObject.weight, 2500);
  assert.equal(all.betweenRequestsMs.mean, 1000);
});

test("a request's retransmission timeout is Jacobson's estimate from the round trips before the request", async () => {
  const all = await trace(...handshake, ...twoRequests);
  // Two samples of 50 ms: the mean deviation is 25 ms after the first and 18.75 ms after the second.
  assert.equal(all.beyondTimeoutMs.mean, 1000 - (50 + 4 * 18.75));
});

test("in a capture at the client, the RTT is the time to the server's acknowledgments without data, such as the SYN/ACK, not to a response", async () => {
  const all = await trace(
    packet(client, 0, { syn: true, ack: false }),
    packet(server, 50, { syn: true, ackMs: 50 }),
    packet(client, 50.1, { ackMs: 0.1 }),
    packet(client, 60, { bytes: 300 }),
    packet(server, 310, { bytes: 1000, ackMs: 250 }),
    packet(client, 310.1, { ackMs: 0.1 }),
  );
  assert.equal(all.rttMs.mean, 50);
});

test("over TLS only application data counts as a request, and requests on connections that offer HTTP/2 do not count", async () => {
  const hello = (offers: string[]) => [
    packet(client, 60, { bytes: 500, records: [22], offers }),
    packet(server, 61, { bytes: 3000, records: [22, 23] }),
    packet(client, 110, { bytes: 200, records: [20] }),
    packet(client, 111, { bytes: 300, records: [23] }),
    packet(server, 112, { bytes: 1000, records: [23] }),
  ];
  const h1 = await trace(...handshake, ...hello(["http/1.1"]));
  assert.deepEqual(h1.objectBytes.curve(), [{ value: 1000, share: 1 }]);
  assert.equal(h1.connectionBytes.mean, 4000);
  const h2 = await trace(...handshake, ...hello(["h2", "http/1.1"]));
  assert.equal(h2.multiplexed, 1);
  assert.equal(h2.objectBytes.weight, 0);
});

test("a connection that began before the capture has no duration, also if it counts as ended after ten idle minutes", async () => {
  const all = await trace(
    packet(server, 0, { bytes: 10 }),
    packet(client, 5),
    packet(client, 700_000, { connection: 1 }),
  );
  assert.equal(all.connections, 2);
  assert.equal(all.begunBefore, 2);
  assert.equal(all.durationMs.weight, 0);
  assert.equal(all.connectionBytes.mean, 5);
});

for (const clientPort of [1025, 3371, 40_000, 60_000])
  test(`without a SYN, port ${clientPort} is the client's and port 80 the server's, whichever sends first`, async () => {
    const ends = { sender: `192.0.2.1:${clientPort}`, receiver: server };
    const answer = packet(server, 1, { bytes: 1590, receiver: ends.sender });
    const request = packet(client, 0, { bytes: 300, ...ends });
    const all = await trace(request, answer);
    assert.equal(all.connectionBytes.mean, 1590);
    assert.equal(all.requestsPerConnection.mean, 1);
    assert.equal((await trace(answer, { ...request, timeMs: 2 })).connectionBytes.mean, 1590);
  });

for (const serverPort of [443, 3128, 8080, 8443])
  test(`without a SYN, port ${serverPort} is the server's and port 1025 the client's`, async () => {
    const [low, high] = ["192.0.2.1:1025", `192.0.2.2:${serverPort}`];
    const all = await trace(
      packet(high, 0, { bytes: 700, receiver: low }),
      packet(low, 1, { bytes: 300, receiver: high }),
    );
    assert.equal(all.connectionBytes.mean, 700);
  });

test("without a SYN, a TLS hello identifies the client, whatever the ports", async () => {
  const [low, high] = ["192.0.2.1:3371", "192.0.2.2:9000"];
  const hello = packet(low, 1, { bytes: 300, receiver: high, records: [22], hello: "client" });
  const answer = packet(high, 2, { bytes: 700, receiver: low, records: [22], hello: "server" });
  for (const packets of [[packet(low, 0, { receiver: high }), hello, answer], [answer]])
    assert.equal((await trace(...packets)).connectionBytes.mean, 700);
});

test("without the client's SYN, a SYN/ACK identifies the client, whatever the ports", async () => {
  const low = { receiver: "192.0.2.1:1024" };
  const all = await trace(
    packet("192.0.2.2:9000", 0, { syn: true, ...low }),
    packet("192.0.2.2:9000", 1, { bytes: 700, ...low }),
  );
  assert.equal(all.connectionBytes.mean, 700);
});

test("the quantiles of values from -1000 to 100,000 are precise to 2%, the width of a distribution's classes", () => {
  const distribution = new Distribution();
  for (let value = -1000; value <= 100_000; value++) distribution.add(value);
  for (const share of [0.1, 0.5, 0.9]) {
    const exact = -1000 + share * 101_000;
    assert.ok(Math.abs(distribution.quantile(share)! / exact - 1) < 0.02);
  }
  assert.ok(distribution.curve().length < 2000);
  assert.ok(Math.abs(distribution.shareAbove(0)! - 100_000 / 101_001) < 1e-9);
  assert.equal(distribution.quantile(0.0001)! < 0, true);
});

test("parsePacket reads all fields of a line of tshark's output", () =>
  assert.deepEqual(
    parsePacket(
      "12.5\t3\t\t2001:db8::1\t443\t\t2001:db8::2\t50000\t0\t1\t1448\t0.05\t\t1\t\t\t22,23\t\th2,http/1.1\t1",
    ),
    {
      timeMs: 12_500,
      connection: 3,
      sender: "2001:db8::1:443",
      receiver: "2001:db8::2:50000",
      syn: false,
      ack: true,
      bytes: 1448,
      ackMs: 50,
      retransmission: true,
      keepAlive: false,
      records: [22, 23],
      offers: ["h2", "http/1.1"],
      hello: "client",
    },
  ));
