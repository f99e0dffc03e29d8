import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence, FlowEvidence } from "../../schema/model.ts";
import { contradictions, type Expectation, flags } from "./contradictions.ts";

const channel = { name: "c", downMbps: 10, upMbps: 1, rttMs: 100, lossPercent: 0, queuePackets: 50 };
const expected: Expectation = {
  requests: 2,
  bodyBytes: 3000,
  alpn: "h2",
  connectionsPerHost: 1,
  initcwnd: 10,
  congestion: "cubic",
  channel,
  addresses: { "s1.lab": "198.18.1.11:4432", "s2.lab": "198.18.1.12:4432" },
};
const request = { path: "/A/1.jpg", status: 200, bytes: 1700, startMs: 0, endMs: 300 };
const connections = [
  { id: 7, host: "s1.lab", address: "198.18.1.11:4432", protocol: "h2", requests: [request] },
  { id: 9, host: "s2.lab", address: "198.18.1.12:4432", protocol: "h2", requests: [request] },
];
const server = {
  tls: "full" as const,
  sentSegments: 12,
  retransmittedSegments: 0,
  firstFlightSegments: 3,
  turnMs: 0.2,
  initcwnd: { atLeast: 10, atMost: 10 },
  congestion: "cubic",
};
const flow = (host: string, news: Partial<typeof server> = {}): FlowEvidence => ({
  host,
  clientPort: 40000,
  handshakeMs: 100.9,
  upRetransmittedSegments: 0,
  server: { ...server, ...news },
});
const way = {
  sentPackets: { atLeast: 40, atMost: 44 },
  shapedPackets: 41,
  forwardedPackets: 39,
  arrivedPackets: { atLeast: 39, atMost: 39 },
};
const packets = {
  requestToLastAckMs: 300,
  path: { down: way, up: way },
  largestFrameBytes: 1514,
  missedFrames: 0,
  foreign: [],
  flows: [flow("s1.lab"), flow("s2.lab")],
};
const processor = { cores: 2, elapsedMs: 1000, labMs: 300, otherMs: 50, stealMs: 0, waitMs: 20, labMemoryMiB: 900 };
const good: Evidence = {
  requests: 2,
  failed: 0,
  fromCache: 0,
  receivedBytes: 3400,
  connections,
  timing: {},
  packets,
  metricsSaved: [],
  processor,
};

test("a load that is a sample of its condition contradicts nothing", () => {
  assert.deepEqual(contradictions(800, good, expected), []);
  assert.deepEqual(flags(good), []);
});

const wrong: Record<string, [Partial<Evidence>, RegExp]> = {
  "a server that answers HTTP/1.1 when asked for HTTP/2": [
    { connections: connections.map((one) => ({ ...one, protocol: "http/1.1" })) },
    /2 responses over http\/1\.1 instead of h2/,
  ],
  "one connection too many": [
    { connections: [...connections, { ...connections[1]!, id: 11 }] },
    /2 connections to s2\.lab; 1 expected/,
  ],
  "hosts that share a connection": [
    { connections: [connections[0]!, { ...connections[1]!, id: 7 }] },
    /connection 7 is shared/,
  ],
  "a host that is not asked": [{ connections: [connections[0]!] }, /hosts s1\.lab instead of s1\.lab, s2\.lab/],
  "a host elsewhere": [
    { connections: [{ ...connections[0]!, address: "10.0.0.1:4432" }, connections[1]!] },
    /s1\.lab answered from 10\.0\.0\.1:4432/,
  ],
  "an error page": [
    { connections: [{ ...connections[0]!, requests: [{ ...request, status: 404 }] }, connections[1]!] },
    /1 responses with status 404/,
  ],
  "a response from a cache": [{ fromCache: 1 }, /1 responses from a cache/],
  "a request that failed": [{ failed: 1 }, /1 requests failed/],
  "a request nobody asked for": [{ requests: 3 }, /3 requests instead of 2/],
  "bytes that never came": [{ receivedBytes: 100 }, /100 bytes received; the page has 3000/],
  "no capture": [{ packets: undefined as never }, /no packets were captured/],
  "packets around the shaper": [
    { packets: { ...packets, path: { down: way, up: { ...way, shapedPackets: 2 } } } },
    /up: 40 to 44 packets sent, 2 through the shaper/,
  ],
  "packets lost behind the shaper": [
    { packets: { ...packets, path: { up: way, down: { ...way, arrivedPackets: { atLeast: 30, atMost: 31 } } } } },
    /down: 39 packets left the shaper, 30 to 31 arrived/,
  ],
  superpackets: [{ packets: { ...packets, largestFrameBytes: 2962 } }, /a superpacket of 2962 bytes/],
  "a capture with holes": [{ packets: { ...packets, missedFrames: 4 } }, /captures missed 4 frames/],
  "somebody else's packets": [
    { packets: { ...packets, foreign: ["EtherType 0x86dd"] } },
    /packets that are not the load's: EtherType 0x86dd/,
  ],
  "a resumed session": [
    { packets: { ...packets, flows: [flow("s1.lab", { tls: "resumed" as never }), flow("s2.lab")] } },
    /a resumed TLS session/,
  ],
  "another congestion control": [
    { packets: { ...packets, flows: [flow("s1.lab", { congestion: "bbr" }), flow("s2.lab")] } },
    /congestion control bbr instead of cubic/,
  ],
  "a window too small": [
    { packets: { ...packets, flows: [flow("s1.lab", { initcwnd: { atLeast: 3, atMost: 3 } }), flow("s2.lab")] } },
    /initcwnd at most 3 instead of 10/,
  ],
  "a window too large": [
    { packets: { ...packets, flows: [flow("s1.lab", { initcwnd: { atLeast: 16, atMost: 16 } }), flow("s2.lab")] } },
    /initcwnd at least 16 instead of 10/,
  ],
  "a connection the captures do not know": [
    { packets: { ...packets, flows: [flow("s1.lab")] } },
    /the browser used 1 connections to s2\.lab, the captures saw 0/,
  ],
  "another RTT": [
    { packets: { ...packets, flows: packets.flows.map((one) => ({ ...one, handshakeMs: 20.2 })) } },
    /the quickest handshake took 20\.2 ms; the RTT is 100 ms/,
  ],
  "TCP that remembers": [{ metricsSaved: ["server2"] }, /TCP remembers earlier connections .* on server2/],
  "a program beside the browser": [{ processor: { ...processor, otherMs: 900 } }, /other programs took 0\.90 cores/],
  "a part of the lab that ended": [
    { ended: ["nginx: worker process"] },
    /a part of the lab ended during the load: nginx: worker/,
  ],
  "a machine beside this one": [{ processor: { ...processor, stealMs: 300 } }, /steal\) took 0\.30 cores/],
};
for (const [what, [change, message]] of Object.entries(wrong))
  test(`is named: ${what}`, () =>
    assert.match(contradictions(800, { ...good, ...change }, expected).join("\n"), message));

test("is named: a time no network can do", () =>
  assert.match(contradictions(302, good, expected).join(), /302 ms is less than physics allows: 302 ms/));

test("is flagged: a load that the processor limits", () =>
  assert.match(flags({ processor: { ...processor, labMs: 1950 } }).join(), /CPU-bound: 100% of 2 cores/));
