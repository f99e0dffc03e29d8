/** A load over QUIC: what its evidence shows and cannot show, and which changes contradict it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionOf } from "../../plan/conditions.ts";
import { judgeLoad } from "./load.ts";
import { asked, flow, good, judge, registries, server, withPackets, withServer } from "./quic-load.fixture.ts";
import { exceptOlder } from "./sample-load.fixture.ts";

test("a load over QUIC contradicts no axis, but some axes are not observable; a first flight too small for rsa3 certificates is reported", () => {
  const { contradictions, inconclusive, notObservable } = judge();
  assert.deepEqual([contradictions, inconclusive], [[], {}]);
  assert.deepEqual(exceptOlder(notObservable), [
    ...[
      "ecn",
      "certificates",
      "initcwnd",
      "initrwnd",
      "windowScaling",
      "delayedAcks",
      "synTimeouts",
      "congestion",
      "slowStartAfterIdle",
      "cpu",
    ],
  ]);
  const long = judgeLoad(490, good, conditionOf({ ...asked, certificates: "rsa3" }, registries), registries);
  assert.match(long.contradictions.join(), /a first flight of 1240 bytes; rsa3 needs 3631/);
});

const withOpened = (change: Partial<NonNullable<typeof server.opened>>) =>
  withServer({ opened: { ...server.opened!, ...change } });

test("a QUIC ClientHello that was retransmitted because its answer waited in a queue is accepted; any other retransmission is reported", () => {
  const judged = (answerMs: number, mostMs: number) => {
    const { down, up } = good.packets.path;
    const begun = { sent: { datagrams: 1, bytes: 1200 }, firstFlight: { datagrams: 1, bytes: 1200 } };
    const { opened: _, ...unopened } = server;
    const again = {
      ...flow,
      ...begun,
      clientPort: 40001,
      handshakeMs: null,
      answerMs,
      server: { ...unopened, ...begun },
    };
    const path = { down, up: { ...up, transit: { ...up.transit!, mostMs } } };
    return withPackets({ quicFlows: [flow, again], path }).contradictions.join();
  };
  assert.equal(judged(420, 310), "");
  const isHidden = /^1 handshakes were not fully captured, but the link lost only 0 packets$/;
  assert.match(judged(420, 290), isHidden, "the slowest packet does not explain it");
  assert.match(judged(290, 310), isHidden, "the answer came before the timer expired");
});

test("a Retry is accepted if the client's first packet was lost or reordered; otherwise it is reported", () => {
  const retried = { longHeaders: { ...server.longHeaders, retry: 1 } };
  assert.deepEqual(withServer({ ...retried, startMissed: true }).contradictions, []);
  assert.match(withServer(retried).contradictions.join(), /the server sent a Retry/);
});

test("if the link lost packets, a client may resume the session of a closed QUIC connection; otherwise the second connection is reported", () => {
  const closed = {
    ...flow,
    server: { ...server, opened: { ...server.opened!, closed: { by: "client" as const, error: 0 } } },
  };
  const resumed = { ...flow, clientPort: 40001, server: { ...server, tls: "resumed" as const } };
  const second = { ...good.connections[0]!, id: 8, requests: [] };
  const judged = (quicFlows: (typeof flow)[], lostPackets: number) => {
    const link = { ...good.link, up: { ...good.link.up, lostPackets } };
    const evidence = { link, connections: [...good.connections, second], packets: { ...good.packets, quicFlows } };
    return judge(evidence)
      .contradictions.filter((one) => /expected|resumed/.test(one))
      .join("; ");
  };
  assert.equal(judged([closed, resumed], 3), "");
  const isReported =
    /^2 connections to s1\.lab; at most 1 expected; connection 40001 to s1\.lab: a resumed TLS session$/;
  assert.match(judged([closed, resumed], 0), isReported, "the link lost no packet");
  assert.match(judged([flow, resumed], 3), isReported, "both connections are open");
});

const wrong: Record<string, [() => { contradictions: string[] }, RegExp]> = {
  "a resumed session": [() => withServer({ tls: "resumed" }), /connection 40000 to s1\.lab: a resumed TLS session/],
  "a ServerHello that could not be read": [() => withServer({ tls: "unknown" }), /a TLS handshake of unknown kind/],
  "a missing ServerHello": [() => withServer({ hello: null }), /connection 40000 to s1\.lab: no ServerHello was seen/],
  "another key exchange": [
    () => withServer({ hello: { version: "1.3", group: 0x11ec, resumed: false, retry: false } }),
    /key exchange x25519mlkem768 instead of x25519, by its ServerHello/,
  ],
  "another version of TLS": [
    () => withServer({ hello: { version: "1.2", group: null, resumed: false, retry: false } }),
    /TLS 1\.2 instead of 1\.3, by its ServerHello/,
  ],
  "a HelloRetryRequest that took no round trip": [
    () => withServer({ hello: { version: "1.3", group: 0x001d, resumed: false, retry: true } }),
    /its handshakes take at least 200/,
  ],
  "early data": [() => withServer({ longHeaders: { ...server.longHeaders, zeroRtt: 2 } }), /2 packets of early data/],
  "a Retry": [() => withServer({ longHeaders: { ...server.longHeaders, retry: 1 } }), /the server sent a Retry/],
  "no QUIC at all": [() => withPackets({ quicFlows: [] }), /used 1 connections to s1\.lab, the captures saw 0/],
  "a line without its QUIC flows": [
    () => judge({ packets: (({ quicFlows: _, ...rest }) => rest)(good.packets) }),
    /used 1 connections to s1\.lab, the captures saw 0/,
  ],
  "a handshake shorter than the RTT": [
    () => withPackets({ quicFlows: [{ ...flow, handshakeMs: 60 }] }),
    /the quickest handshake took 60 ms; the RTT is 100 ms/,
  ],
  "a handshake that was not fully captured although the link lost no packet": [
    () => withPackets({ quicFlows: [{ ...flow, handshakeMs: null }] }),
    /1 handshakes were not fully captured, but the link lost only 0 packets/,
  ],
  "more bytes of responses than the server sent": [
    () => withServer({ sent: { datagrams: 30, bytes: 20_000 } }),
    /s1\.lab sent 30200 bytes of responses, but only 20000 bytes over QUIC/,
  ],
  "more datagrams than packets on the link": [
    () => withServer({ sent: { datagrams: 90, bytes: 32_000 } }),
    /down: 90 datagrams, but at most 31 packets/,
  ],
  "a first flight larger than everything sent": [
    () => withServer({ firstFlight: { datagrams: 31, bytes: 1240 } }),
    /its datagrams cannot have that many bytes/,
  ],
  "more packets acknowledged or lost than sent": [
    () => withOpened({ acknowledgedPackets: 28 }),
    /29 packets acknowledged or lost, but only 28 sent/,
  ],
  "more bytes in flight than sent": [
    () => withOpened({ mostInFlightBytes: 33_000 }),
    /more bytes in flight or retransmitted than/,
  ],
  "a first flight larger than the most bytes in flight": [
    () => withOpened({ firstFlight: { packets: 15, bytes: 14_500 } }),
    /more bytes in its first flight or window than were ever in flight, 14000/,
  ],
  "an acknowledgment faster than the link allows": [
    () => withOpened({ roundTripMs: { least: 80, median: 103 } }),
    /an acknowledgment after 80 ms; the RTT is 100 ms/,
  ],
  "a response over TCP": [
    () => judge({ connections: good.connections.map((one) => ({ ...one, protocol: "h2" })) }),
    /1 responses over h2 instead of h3/,
  ],
  "a request before the handshake could end": [
    () => withPackets({ synToRequestMs: 60 }),
    /the first request came 60 ms after the first packet; its handshakes take at least 100/,
  ],
  "a load event before the page's packets had arrived": [
    () => withPackets({ requestToLastDataMs: 400, requestToLastAckMs: 400 }),
    /the page had loaded after 490 ms; its packets took 512\.0 ms/,
  ],
  "a load event long after the page's packets had arrived": [
    () => withPackets({ requestToLastDataMs: 60, requestToLastAckMs: 62 }),
    /the page had loaded after 490 ms; its packets took 172\.0 ms, the processor worked 220 ms/,
  ],
};
for (const [what, [judged, message]] of Object.entries(wrong))
  test(`${what} is reported`, () => assert.match(judged().contradictions.join("\n"), message));

test("with 0-RTT, the first response must come about one round trip after the start; without 0-RTT, early data is a contradiction", () => {
  const hello = { version: "1.3" as const, group: 0x001d, resumed: true, retry: false };
  const early = { tls: "resumed" as const, hello, longHeaders: { ...server.longHeaders, zeroRtt: 2 } };
  const judged = (handshake: string, timing: Partial<typeof good.timing>) => {
    const evidence = {
      ...good,
      timing: { ...good.timing, requestStart: 1, responseStart: 115, ...timing },
      packets: {
        ...good.packets,
        synToRequestMs: 0.4,
        requestToLastDataMs: 477,
        quicFlows: [{ ...flow, server: { ...server, ...early } }],
      },
    };
    return judgeLoad(490, evidence, conditionOf({ ...asked, handshake }, registries), registries).contradictions.join();
  };
  assert.equal(judged("0-rtt", {}), "");
  assert.match(
    judged("0-rtt", { responseStart: 90 }),
    /from requestStart \(1 ms\) to responseStart \(90 ms\) it takes at least 100/,
  );
  assert.match(judged("0-rtt", { responseStart: 230 }), /the server may not have accepted early data/);
  assert.match(judged("resumed", {}), /2 packets of early data \(0-RTT\)/);
  assert.match(judged("full", {}), /a resumed TLS session/);
});

test("a page load time shorter than two round trips plus the transmission of all bytes is reported", () =>
  assert.match(judge({}, 220).contradictions.join(), /220 ms is less than the link allows: at least 224 ms/));
