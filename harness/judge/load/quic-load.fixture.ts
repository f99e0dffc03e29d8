/** A made-up load over QUIC, and functions that judge it with changes. */
import type { Evidence, QuicFlowEvidence } from "../../../schema/evidence.ts";
import type { Values } from "../../../schema/plan.ts";
import type { Registries } from "../../../schema/registries.ts";
import { conditionOf } from "../../plan/conditions.ts";
import { judgeLoad } from "./load.ts";

export const registries: Registries = {
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
export const asked: Values = { page: "A", servers: 1, link: "c", protocol: "h3", initcwnd: 10 };

export const server: NonNullable<QuicFlowEvidence["server"]> = {
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
export const flow: QuicFlowEvidence = {
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
export const good: Evidence = {
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
export const judge = (change: Partial<Evidence> = {}, pageLoadMs = 490) =>
  judgeLoad(pageLoadMs, { ...good, ...change }, conditionOf(asked, registries), registries);
export const withPackets = (change: Partial<Evidence["packets"]>) => judge({ packets: { ...good.packets, ...change } });
export const withServer = (change: Partial<typeof server>) =>
  withPackets({ quicFlows: [{ ...flow, server: { ...server, ...change } }] });
