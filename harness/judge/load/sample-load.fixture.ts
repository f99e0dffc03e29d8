/** For tests: a valid load, and functions that alter and judge it. */
import { axes } from "../../../axes/registry.ts";
import type {
  DirectionParameters,
  Evidence,
  FlowEvidence,
  LinkEvidence,
  TransitEvidence,
} from "../../../schema/evidence.ts";
import type { Values } from "../../../schema/plan.ts";
import type { Registries } from "../../../schema/registries.ts";
import { conditionOf } from "../../plan/conditions.ts";
import { judgeLoad } from "./load.ts";

export const registries: Registries = {
  links: { c: { downMbps: 10, upMbps: 1, rttMs: 100, lossPercent: 0, queuePackets: 50 } },
  protocols: { h2: { scheme: "https", transport: "tcp", alpn: "h2", port: 4432, connections: 1 } },
  pages: { A: { requests: 2, bodyBytes: 30_000, objects: { "/A/1.jpg": 10_000 } } },
  servers: { nginx: { header: "nginx", protocols: ["h2"] } },
  clients: { chromium: { userAgent: "HeadlessChrome/", userAgentLacks: ".0.0.0 Safari/", protocols: ["h2"] } },
  hosts: [1, 2, 3].map((n) => ({ service: `server${n}`, name: `s${n}.lab`, address: `198.18.1.1${n}` })),
  defaults: {
    reorder: "off",
    server: "nginx",
    congestion: "cubic",
    client: "chromium",
    initrwnd: 44,
    windowScaling: "on",
    delayedAcks: "linux",
    tls: "1.3",
    keyExchange: "x25519",
    certificates: "ec2",
  },
};
export const asked: Values = { page: "A", servers: 2, link: "c", protocol: "h2", initcwnd: 10 };

export const html = { path: "/A/2-h2.html", status: 200, bytes: 20_200, startMs: 0, endMs: 500 };
const request = { path: "/A/1.jpg", status: 200, bytes: 10_200, startMs: 350, endMs: 780 };
const connection = { protocol: "h2", software: ["nginx"], tls: { version: "TLS 1.3", group: "X25519" } };
export const connections = [
  { id: 7, host: "s1.lab", address: "198.18.1.11:4432", ...connection, requests: [html] },
  { id: 9, host: "s2.lab", address: "198.18.1.12:4432", ...connection, requests: [request] },
];
export const server: NonNullable<FlowEvidence["server"]> = {
  tls: "full",
  hello: { version: "1.3", group: 0x001d, resumed: false, retry: false },
  sentSegments: 18,
  retransmittedSegments: 0,
  firstFlightSegments: 3,
  handshakeBytes: 1021,
  turnMs: 0.2,
  initcwnd: { atLeast: 10, atMost: 10 },
  windowGrowth: null,
  congestion: "cubic",
};
export const flow = (host: string, news: Partial<typeof server> = {}): FlowEvidence => ({
  host,
  clientPort: 40000, // the same port to both hosts, which is allowed
  handshakeMs: 100.9,
  upRetransmittedSegments: 0,
  receiveWindow: { synBytes: 64240, ackBytes: 64512, mssBytes: 1460, scale: 7 },
  firstAcks: { atOnce: 2, delayed: 0 },
  server: { ...server, ...news },
});
export const way = {
  sentPackets: { atLeast: 40, atMost: 44 },
  shapedPackets: 41,
  forwardedPackets: 39,
  arrivedPackets: { atLeast: 39, atMost: 39 },
};
/** Makes what packets show about a link with this rate and an RTT of 100 ms. */
export const transit = (mbps: number) => ({
  packets: 39,
  least: { ms: 50.1 + (66 * 8) / 1000 / mbps, bytes: 66 },
  mostMs: 70,
  reordered: 0,
  backToBack: { packets: 18, bytes: 18_000, ms: (18_000 * 8) / 1000 / mbps + 0.2 },
  sentAtOnceBytes: 13_000,
});
export const path = { down: { ...way, transit: transit(10) }, up: { ...way, transit: transit(1) } };
export const flows = [flow("s1.lab"), flow("s2.lab")];
export const packets = {
  synToRequestMs: 205,
  requestToLastDataMs: 570,
  requestToLastAckMs: 571,
  path,
  largestFrameBytes: 1514,
  missedFrames: 0,
  foreign: [],
  flows,
};
export const counters = {
  sentPackets: 39,
  sentBytes: 34_000,
  lostPackets: 0,
  queueDroppedPackets: 0,
  queuedPackets: 2,
};
export const is = { delayMs: 50, lossPercent: 0, queuePackets: 50 };
export const always = (rateMbps: number, news: Partial<DirectionParameters> = {}) => ({
  atStart: { ...is, rateMbps, ...news },
  atEnd: { ...is, rateMbps, ...news },
});
export const link: LinkEvidence = { down: { ...counters, ...always(10) }, up: { ...counters, ...always(1) } };
export const processor = {
  cores: 2,
  elapsedMs: 1000,
  labMs: 300,
  otherMs: 50,
  stealMs: 0,
  waitMs: 20,
  labMemoryMiB: 900,
};
export const good: Evidence = {
  version: 4,
  userAgent: "Mozilla/5.0 HeadlessChrome/156",
  requests: 2,
  failed: 0,
  fromCache: 0,
  receivedBytes: 30_400,
  connections,
  timing: {
    connectStart: 2,
    connectEnd: 205,
    requestStart: 206,
    responseStart: 310,
    responseEnd: 500,
    domContentLoadedEventStart: 510,
    loadEventStart: 800,
  },
  link,
  packets,
  metricsSaved: [],
  hystart: null,
  maxQuickacks: null,
  processor,
  ended: [],
};
export const judge = (change: Partial<Evidence> = {}, values: Values = {}, pageLoadMs = 800) =>
  judgeLoad(pageLoadMs, { ...good, ...change }, conditionOf({ ...asked, ...values }, registries), registries);
export const withFlows = (...changed: FlowEvidence[]): Partial<Evidence> => ({
  packets: { ...packets, flows: changed },
});
export const withTransit = (direction: "down" | "up", transit: TransitEvidence): Partial<Evidence> => ({
  packets: { ...packets, path: { ...path, [direction]: { ...path[direction], transit } } },
});
export const withLink = (change: Partial<LinkEvidence["down"]>): Partial<Evidence> => ({
  link: { ...link, down: { ...link.down, ...change } },
});

/** Returns the names of the axes that are not observable, without the axes that were added after the sample was recorded. */
export const exceptOlder = (notObservable: Readonly<Record<string, string>>): string[] =>
  Object.keys(notObservable).filter((name) => !notObservable[name]!.startsWith("recorded before"));

/** The axes that are not observable in a condition with defaults. */
export const notObservableAlways = {
  cpu: "no slowdown is configured, so none is measured",
  ...Object.fromEntries(
    axes.flatMap(({ name, unknownBefore }) => (unknownBefore ? [[name, `recorded before ${unknownBefore}`]] : [])),
  ),
};
