/** A load over QUIC: what its evidence shows, what it cannot, and what contradicts it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence, QuicFlowEvidence } from "../../../schema/evidence.ts";
import type { Values } from "../../../schema/plan.ts";
import type { Registries } from "../../../schema/registries.ts";
import { conditionOf } from "../../plan/conditions.ts";
import { judgeLoad } from "./load.ts";
import { exceptOlder } from "./sample-load.fixture.ts";

const registries: Registries = {
  links: { c: { downMbps: 10, upMbps: 1, rttMs: 100, lossPercent: 0, queuePackets: 50 } },
  protocols: { h3: { scheme: "https", transport: "quic", alpn: "h3", port: 4433, connections: 1 } },
  pages: { A: { requests: 1, bodyBytes: 30_000, objects: {} } },
  servers: { caddy: { header: "Caddy", protocols: ["h3"] } },
  clients: { chromium: { userAgent: "HeadlessChrome/", protocols: ["h3"] } },
  hosts: [{ service: "server1", name: "s1.lab", address: "198.18.1.11" }],
  defaults: {
    reorder: "off",
    tls: "1.3",
    keyExchange: "x25519",
    certificates: "ec2",
    server: "caddy",
    congestion: "cubic",
    client: "chromium",
    initrwnd: 44,
    windowScaling: "on",
    delayedAcks: "linux",
  },
};
const asked: Values = { page: "A", servers: 1, link: "c", protocol: "h3", initcwnd: 10 };

const server: NonNullable<QuicFlowEvidence["server"]> = {
  tls: "full",
  hello: { version: "1.3", group: 0x001d, resumed: false, retry: false },
  sent: { datagrams: 30, bytes: 32_000 },
  firstFlight: { datagrams: 2, bytes: 1240 },
  longHeaders: { initial: 4, zeroRtt: 0, handshake: 1, retry: 0 },
  opened: {
    unopened: 0,
    sentPackets: 28,
    acknowledgedPackets: 26,
    lostPackets: 1,
    repeatedBytes: 1100,
    mostInFlightBytes: 14_000,
    firstFlight: { packets: 10, bytes: 11_900 },
    initialWindowAtLeastBytes: 10_900,
    stoppedBytes: 13_200,
    roundTripMs: { least: 100.2, median: 103 },
  },
};
const flow: QuicFlowEvidence = {
  host: "s1.lab",
  clientPort: 40000,
  version: 1,
  handshakeMs: 110.6,
  sent: { datagrams: 20, bytes: 4000 },
  server,
};
const way = (mbps: number) => ({
  sentPackets: { atLeast: 30, atMost: 31 },
  shapedPackets: 30,
  forwardedPackets: 30,
  arrivedPackets: { atLeast: 30, atMost: 30 },
  transit: {
    packets: 30,
    least: { ms: 50.1 + (72 * 8) / 1000 / mbps, bytes: 72 },
    mostMs: 70,
    reordered: 0,
    backToBack: { packets: 18, bytes: 18_000, ms: (18_000 * 8) / 1000 / mbps },
    sentAtOnceBytes: 13_000,
  },
});
const counted = (rateMbps: number, sentBytes: number) => {
  const is = { rateMbps, delayMs: 50, lossPercent: 0, queuePackets: 50 };
  const did = { sentPackets: 30, sentBytes, lostPackets: 0, queueDroppedPackets: 0, queuedPackets: 0 };
  return { ...did, atStart: is, atEnd: is };
};
const request = { path: "/A/1-h3.html", status: 200, bytes: 30_200, startMs: 0, endMs: 480 };
const good: Evidence = {
  version: 4,
  userAgent: "Mozilla/5.0 HeadlessChrome/156",
  requests: 1,
  failed: 0,
  fromCache: 0,
  receivedBytes: 30_200,
  connections: [
    {
      id: 7,
      host: "s1.lab",
      address: "198.18.1.11:4433",
      protocol: "h3",
      software: ["Caddy"],
      tls: { version: "QUIC", group: "X25519" },
      requests: [request],
    },
  ],
  timing: {
    connectStart: 1,
    connectEnd: 113,
    requestStart: 114,
    responseStart: 230,
    responseEnd: 480,
    domContentLoadedEventStart: 485,
    loadEventStart: 490,
  },
  link: { down: counted(10, 33_000), up: counted(1, 20_000) },
  packets: {
    synToRequestMs: 112,
    requestToLastDataMs: 365,
    requestToLastAckMs: 372,
    path: { down: way(10), up: way(1) },
    largestFrameBytes: 1368,
    missedFrames: 0,
    foreign: [],
    flows: [],
    quicFlows: [flow],
  },
  metricsSaved: [],
  hystart: null,
  maxQuickacks: null,
  processor: { cores: 2, elapsedMs: 600, labMs: 200, otherMs: 0, stealMs: 0, waitMs: 0, labMemoryMiB: 900 },
  ended: [],
};
const judge = (change: Partial<Evidence> = {}, pageLoadMs = 490) =>
  judgeLoad(pageLoadMs, { ...good, ...change }, conditionOf(asked, registries), registries);
const withPackets = (change: Partial<Evidence["packets"]>) => judge({ packets: { ...good.packets, ...change } });
const withServer = (change: Partial<typeof server>) =>
  withPackets({ quicFlows: [{ ...flow, server: { ...server, ...change } }] });

test("a load over QUIC shows all axes except those that QUIC hides", () => {
  const { contradictions, inconclusive, notObservable } = judge();
  assert.deepEqual([contradictions, inconclusive], [[], {}]);
  assert.deepEqual(exceptOlder(notObservable), [
    ...[
      "certificates",
      "initcwnd",
      "initrwnd",
      "windowScaling",
      "delayedAcks",
      "congestion",
      "slowStartAfterIdle",
      "cpu",
    ],
  ]);
  const long = judgeLoad(490, good, conditionOf({ ...asked, certificates: "rsa3" }, registries), registries);
  assert.match(long.contradictions.join(), /a first flight of 1240 bytes; rsa3 takes 3631/);
});

test("an initial window over QUIC is confirmed if the server software lets it be configured", () => {
  const told = { ...registries, servers: { caddy: { ...registries.servers.caddy!, quicWindow: true as const } } };
  const judged = (initcwnd: number, opened: Partial<typeof server.opened> = {}) => {
    const quicFlows = [{ ...flow, server: { ...server, opened: { ...server.opened!, ...opened } } }];
    const evidence = { ...good, packets: { ...good.packets, quicFlows } };
    return judgeLoad(490, evidence, conditionOf({ ...asked, initcwnd }, told), told);
  };
  assert.deepEqual([judged(10).contradictions, judged(10).notObservable.initcwnd], [[], undefined]);
  assert.match(judged(9).contradictions.join(), /an initial window of at least 10900 bytes instead of 10800/);
  assert.match(judged(12).contradictions.join(), /an initial window of at most 13200 bytes instead of 14400/);
  const unfilled = judged(30, { initialWindowAtLeastBytes: 3000, stoppedBytes: null });
  assert.match(unfilled.notObservable.initcwnd!, /no response was long enough to fill 30 packets/);
  const untold = judgeLoad(490, good, conditionOf(asked, registries), registries);
  assert.match(untold.notObservable.initcwnd!, /the server software's own/);
});

const withOpened = (change: Partial<NonNullable<typeof server.opened>>) =>
  withServer({ opened: { ...server.opened!, ...change } });

test("a QUIC hello that was repeated because its answer waited in a queue is accepted; any other is reported", () => {
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
  const isHidden = /^1 handshakes were not seen whole, but the link lost only 0 packets$/;
  assert.match(judged(420, 290), isHidden, "no packet took so long");
  assert.match(judged(290, 310), isHidden, "before the timer");
});

const wrong: Record<string, [() => { contradictions: string[] }, RegExp]> = {
  "a resumed session": [() => withServer({ tls: "resumed" }), /connection 40000 to s1\.lab: a resumed TLS session/],
  "a hello that was not read": [() => withServer({ tls: "unknown" }), /a TLS handshake of unknown kind/],
  "no hello": [() => withServer({ hello: null }), /connection 40000 to s1\.lab: no ServerHello was seen/],
  "another key exchange": [
    () => withServer({ hello: { version: "1.3", group: 0x11ec, resumed: false, retry: false } }),
    /key exchange x25519mlkem768 instead of x25519, by its ServerHello/,
  ],
  "another version of TLS": [
    () => withServer({ hello: { version: "1.2", group: null, resumed: false, retry: false } }),
    /TLS 1\.2 instead of 1\.3, by its ServerHello/,
  ],
  "another key requested without the time of a round trip": [
    () => withServer({ hello: { version: "1.3", group: 0x001d, resumed: false, retry: true } }),
    /its handshakes take at least 200/,
  ],
  "early data": [() => withServer({ longHeaders: { ...server.longHeaders, zeroRtt: 2 } }), /2 packets of early data/],
  "a retry": [() => withServer({ longHeaders: { ...server.longHeaders, retry: 1 } }), /the server sent a Retry/],
  "no QUIC at all": [() => withPackets({ quicFlows: [] }), /used 1 connections to s1\.lab, the captures saw 0/],
  "a line without its QUIC flows": [
    () => judge({ packets: (({ quicFlows: _, ...rest }) => rest)(good.packets) }),
    /used 1 connections to s1\.lab, the captures saw 0/,
  ],
  "another RTT": [
    () => withPackets({ quicFlows: [{ ...flow, handshakeMs: 60 }] }),
    /the quickest handshake took 60 ms; the RTT is 100 ms/,
  ],
  "a handshake that nothing hid": [
    () => withPackets({ quicFlows: [{ ...flow, handshakeMs: null }] }),
    /1 handshakes were not seen whole, but the link lost only 0 packets/,
  ],
  "more bytes than arrived": [
    () => withServer({ sent: { datagrams: 30, bytes: 20_000 } }),
    /s1\.lab sent 30200 bytes of responses, but only 20000 bytes over QUIC/,
  ],
  "more datagrams than packets": [
    () => withServer({ sent: { datagrams: 90, bytes: 32_000 } }),
    /down: 90 datagrams, but at most 31 packets/,
  ],
  "a first flight larger than everything sent": [
    () => withServer({ firstFlight: { datagrams: 31, bytes: 1240 } }),
    /its datagrams cannot have that many bytes/,
  ],
  "more acknowledged than sent": [
    () => withOpened({ acknowledgedPackets: 28 }),
    /29 packets acknowledged or lost, but only 28 sent/,
  ],
  "more in flight than sent": [
    () => withOpened({ mostInFlightBytes: 33_000 }),
    /more bytes in flight or repeated than/,
  ],
  "a first flight larger than was ever in flight": [
    () => withOpened({ firstFlight: { packets: 15, bytes: 14_500 } }),
    /at first more in flight than ever, 14000 bytes/,
  ],
  "an acknowledgment faster than the link allows": [
    () => withOpened({ roundTripMs: { least: 80, median: 103 } }),
    /an acknowledgment after 80 ms; the RTT is 100 ms/,
  ],
  "an answer over TCP": [
    () => judge({ connections: good.connections.map((one) => ({ ...one, protocol: "h2" })) }),
    /1 responses over h2 instead of h3/,
  ],
  "a request before the handshake": [
    () => withPackets({ synToRequestMs: 60 }),
    /the first request came 60 ms after the first packet; its handshakes take at least 100/,
  ],
  "a load event before its packets": [
    () => withPackets({ requestToLastDataMs: 400, requestToLastAckMs: 400 }),
    /the page had loaded after 490 ms; its packets took 512\.0 ms/,
  ],
  "a load event long after its packets": [
    () => withPackets({ requestToLastDataMs: 60, requestToLastAckMs: 62 }),
    /the page had loaded after 490 ms; its packets took 172\.0 ms, the processor worked 220 ms/,
  ],
};
for (const [what, [judged, message]] of Object.entries(wrong))
  test(`is reported: ${what}`, () => assert.match(judged().contradictions.join("\n"), message));

test("is reported: a time shorter than two round trips and the transmission of all bytes", () =>
  assert.match(judge({}, 220).contradictions.join(), /220 ms is less than the link allows: at least 224 ms/));

test("TCP's axes are refused over QUIC, where they would be misleading", () => {
  for (const [name, value, other] of [
    ["initcwnd", 32, 10],
    ["congestion", "reno", "cubic"],
    ["initrwnd", 20, 44],
    ["delayedAcks", "always", "linux"],
  ] as const)
    assert.throws(
      () => conditionOf({ ...asked, [name]: value }, registries),
      new RegExp(`${name} ${value}: h3 has no TCP, .* only ${other}`),
    );
});
