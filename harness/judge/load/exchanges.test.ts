/** Response times from captures without TLS are compared with those that browsers and other clients report. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence, FlowEvidence } from "../../../schema/evidence.ts";
import type { Condition } from "../../../schema/plan.ts";
import { exchangeProblems } from "./exchanges.ts";
import { requestProblems, timingProblems } from "./requests.ts";

const link = { downMbps: 10, upMbps: 1, rttMs: 100, lossPercent: 0, queuePackets: 50 };
const condition = { settings: { link } } as Condition;
const replay = { connections: 6, pipelines: false };
const pipelining = { connections: 1, pipelines: true };

const request = { status: 200, bytes: 1000 };
const requests = [
  { ...request, path: "/A/1-h1c.html", startMs: 0, endMs: 205 },
  { ...request, path: "/A/1.jpg", startMs: 205, endMs: 320 },
];
const flow: Partial<FlowEvidence> = {
  host: "s1.lab",
  clientPort: 40000,
  upRetransmittedSegments: 0,
  exchangesMs: [102.5, 103],
  server: { sentSegments: 4, turnMs: 0.2, firstDataToLastAckMs: 205 } as NonNullable<FlowEvidence["server"]>,
};
const good = {
  receivedBytes: 2000,
  connections: [{ id: 1, host: "s1.lab", address: "", protocol: "http/1.1", software: ["nginx"], requests }],
  timing: {
    connectStart: 0,
    connectEnd: 101,
    requestStart: 101,
    responseStart: 203,
    responseEnd: 205,
    loadEventStart: 320,
  },
  packets: {
    flows: [flow],
    path: { up: { transit: { mostMs: 51 } } },
    requestToLastDataMs: 210,
    requestToLastAckMs: 210,
  },
  link: { up: { lostPackets: 0, queueDroppedPackets: 0 } },
} as unknown as Evidence;
const withFlow = (news: object): Evidence => ({
  ...good,
  packets: { ...good.packets, flows: [{ ...flow, ...news }] as FlowEvidence[] },
});
const atServer = (firstDataToLastAckMs: number) => withFlow({ server: { ...flow.server!, firstDataToLastAckMs } });

test("exchanges that agree with the client's requests and the link are accepted", () =>
  assert.deepEqual(exchangeProblems(good, condition, replay), []));

const longer = (evidence: Evidence): Evidence => ({
  ...evidence,
  packets: { ...evidence.packets, requestToLastDataMs: 400 },
});

test("if the page has a WebSocket, captures may show one more exchange than the requests that the client reports", () => {
  const unanswered = [{ url: "ws://s1.lab:8080/socket", why: "", nonBlocking: true as const }];
  const more = longer(withFlow({ exchangesMs: [102.5, 103, 104] }));
  assert.match(exchangeProblems(more, condition, replay).join(), /2 requests, its capture shows 3/);
  assert.deepEqual(exchangeProblems({ ...more, unanswered }, condition, replay), []);
});

test("a cancelled request may take longer in captures than the client reports", () => {
  const long = longer(withFlow({ exchangesMs: [200, 180] }));
  assert.match(
    exchangeProblems(long, condition, replay).join(),
    /a request took 180 ms by its packets, but the client/,
  );
  const [first, second] = requests;
  const cancelled = [first!, { ...second!, endMs: 215, failed: true as const }];
  const connections = [{ ...good.connections[0]!, requests: cancelled }];
  const said = exchangeProblems({ ...long, connections }, condition, replay).filter((one) =>
    /no request that long/.test(one),
  );
  assert.deepEqual(said, []);
});

for (const [what, evidence, message] of [
  [
    "a request that no packet shows",
    withFlow({ exchangesMs: [102.5] }),
    /the client reports 2 requests, its capture shows 1/,
  ],
  [
    "a response that came too early for the RTT",
    withFlow({ exchangesMs: [60, 103] }),
    /a response took 60 ms by its packets; .* at least 100\.8 ms/,
  ],
  ["a response faster than its bytes allow", withFlow({ exchangesMs: [100.5, 103] }), /a response took 100\.5 ms/],
  [
    "an exchange longer than the client reports",
    withFlow({ exchangesMs: [205.5, 103] }),
    /took 205\.5 ms by its packets/,
  ],
  [
    "exchanges that together take longer than the load",
    withFlow({ exchangesMs: [110, 114] }),
    /requests took longer than the whole load/,
  ],
  ["a response that took longer at the server", atServer(262), /262 ms at the server, but 210 ms at the client/],
  ["a response that was faster at the server", atServer(150), /150 ms at the server, but 210 ms at the client/],
] as const)
  test(`${what} is detected`, () => assert.match(exchangeProblems(evidence, condition, replay).join("\n"), message));

test("if a request was retransmitted, the time to the last ACK may be shorter at the server than at the client", () => {
  const late = atServer(150);
  late.packets.flows[0]!.upRetransmittedSegments = 1;
  assert.deepEqual(exchangeProblems(late, condition, replay), []);
});

test("if an ACK was lost and a segment retransmitted, the time to the last ACK may be longer at the server than at the client", () => {
  // 10x10-100ms-1% of the experiment first-object: the last segment was retransmitted 172 ms after the client had received it.
  const lossy = (lostPackets: number, retransmittedSegments: number): Evidence => {
    const late = withFlow({ server: { ...flow.server!, retransmittedSegments, firstDataToLastAckMs: 1503.896 } });
    const up = { ...late.link.up, lostPackets };
    return { ...late, link: { ...late.link, up }, packets: { ...late.packets, requestToLastAckMs: 1331.903 } };
  };
  assert.deepEqual(exchangeProblems(lossy(4, 2), condition, replay, 1600), []);
  assert.match(exchangeProblems(lossy(4, 2), condition, replay, 1500).join("\n"), /1503\.896 ms at the server/);
  assert.match(exchangeProblems(lossy(0, 2), condition, replay, 1600).join("\n"), /1503\.896 ms at the server/);
  assert.match(exchangeProblems(lossy(4, 0), condition, replay, 1600).join("\n"), /1503\.896 ms at the server/);
});

test("only a client that pipelines may receive a response 1 ms after the previous one on the same connection", () => {
  const [html, image] = requests;
  const atOnce = {
    ...good,
    connections: [{ ...good.connections[0]!, requests: [html!, { ...image!, startMs: 100, endMs: 206 }] }],
  };
  const timing = { ...good.timing, responseStart: 100 };
  assert.deepEqual(requestProblems(320, { ...atOnce, timing }, condition, { replays: pipelining }), []);
  assert.match(
    requestProblems(320, atOnce, condition, { replays: replay }).join("\n"),
    /1\.jpg ended 1\.0 ms after the response before it from s1\.lab/,
  );
});

test("a browser must report when its document was parsed; a client that only fetches may omit this time", () => {
  const protocol = { scheme: "http", transport: "tcp", port: 4430, alpn: "http/1.1", connections: 6 } as const;
  assert.deepEqual(timingProblems(good, condition, protocol, { replays: replay }), []);
  assert.match(timingProblems(good, condition, protocol).join("\n"), /to domContentLoadedEventStart/);
});
