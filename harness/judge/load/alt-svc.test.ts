/** A first visit that nothing forces to use HTTP/3: its document comes over HTTP/2, its image over HTTP/3. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../../schema/evidence.ts";
import type { Values } from "../../../schema/plan.ts";
import type { Registries } from "../../../schema/registries.ts";
import { conditionOf } from "../../plan/conditions.ts";
import { datagramProblems } from "./datagrams.ts";
import { judgeLoad } from "./load.ts";
import { flow as quicFlow, server as quicServer } from "./quic-load.fixture.ts";
import {
  asked,
  connections,
  exceptOlder,
  flow,
  good,
  packets,
  registries as sampleRegistries,
} from "./sample-load.fixture.ts";

const registries: Registries = {
  ...sampleRegistries,
  protocols: { h3: { scheme: "https", transport: "quic", alpn: "h3", port: 4433, connections: 1 } },
  servers: { nginx: { header: "nginx", protocols: ["h3"] } },
  clients: { chromium: { userAgent: "HeadlessChrome/", protocols: ["h3"] } },
  defaults: { ...sampleRegistries.defaults, discovery: "forced" },
};
const values: Values = { ...asked, servers: 1, protocol: "h3", discovery: "alt-svc" };

const address = "198.18.1.11:4433";
const altSvc = ['h3=":4433"'];
const [document, image] = connections;
const overTcp = { ...document!, address, altSvc, requests: [{ ...document!.requests[0]!, path: "/A/1-h3.html" }] };
const overQuic = {
  ...image!,
  ...{ host: "s1.lab", address, altSvc, protocol: "h3", tls: { version: "QUIC", group: "X25519" } },
};
const mixed: Evidence = {
  ...good,
  connections: [overTcp, overQuic],
  packets: { ...packets, flows: [flow("s1.lab")], quicFlows: [quicFlow] },
};
const judge = (change: Partial<Evidence> = {}, discovery = "alt-svc") =>
  judgeLoad(800, { ...mixed, ...change }, conditionOf({ ...values, discovery }, registries), registries);

test("if a browser uses TCP before HTTP/3, TCP's settings and the discovery of HTTP/3 are confirmed", () => {
  const { contradictions, inconclusive, notObservable } = judge();
  assert.deepEqual([contradictions, inconclusive], [[], {}]);
  assert.deepEqual(exceptOlder(notObservable), ["cpu"]);
});

test("a browser that remembers the Alt-Svc announcement may use only HTTP/3; then TCP's settings are not observable", () => {
  const earlier = { responses: { h2: 1, h3: 1 }, altSvc };
  const all = [{ ...overQuic, requests: [...overTcp.requests, ...overQuic.requests] }];
  const only = { connections: all, packets: { ...packets, flows: [], quicFlows: [quicFlow] }, earlier };
  const { contradictions, notObservable } = judge(only, "remembered");
  assert.deepEqual(contradictions, []);
  assert.ok(["congestion", "initcwnd", "initrwnd"].every((axis) => /QUIC's/.test(notObservable[axis]!)));
  const unused = flow("s1.lab", { sentSegments: 2, initcwnd: { atLeast: 1, atMost: null }, firstFlightSegments: 2 });
  const raced = { ...only, packets: { ...only.packets, flows: [unused] } };
  assert.deepEqual(judge(raced, "remembered").contradictions, [], "a TCP connection that was opened but not used");
  assert.match(judge({ ...only, earlier: undefined }, "remembered").contradictions.join(), /no earlier visit/);
});

const wrong: Record<string, [Partial<Evidence>, RegExp]> = {
  "an image over HTTP/3 from a server that did not announce HTTP/3": [
    { connections: [{ ...overTcp, altSvc: [] }, overQuic] },
    /responses of s1\.lab over h2 announced "" instead of "h3=":4433""/,
  ],
  "a document over HTTP/3 before any announcement": [
    { connections: [{ ...overTcp, protocol: "h3" }, overQuic] },
    /requests to s1\.lab went over h3 before a response over h2 announced it/,
  ],
  "a response over HTTP/3 without QUIC": [
    { packets: { ...packets, flows: [flow("s1.lab")], quicFlows: [] } },
    /the browser used 2 connections to s1\.lab, the captures saw 1/,
  ],
  "a response over HTTP/2 without TCP": [
    { packets: { ...packets, flows: [], quicFlows: [quicFlow, { ...quicFlow, clientPort: 40001 }] } },
    /s1\.lab sent 20200 bytes of responses, which do not fit into 0 segments/,
  ],
  "more bytes over HTTP/3 than QUIC carried": [
    {
      packets: {
        ...mixed.packets,
        quicFlows: [{ ...quicFlow, server: { ...quicServer, sent: { datagrams: 30, bytes: 9000 } } }],
      },
    },
    /s1\.lab sent 10200 bytes of responses, but only 9000 bytes over QUIC/,
  ],
  "a wrong initial window of the TCP connection": [
    { packets: { ...mixed.packets, flows: [flow("s1.lab", { initcwnd: { atLeast: 12, atMost: null } })] } },
    /initcwnd at least 12 instead of 10/,
  ],
  "a QUIC connection with early data": [
    {
      packets: {
        ...mixed.packets,
        quicFlows: [{ ...quicFlow, server: { ...quicServer, longHeaders: { ...quicServer.longHeaders, zeroRtt: 1 } } }],
      },
    },
    /1 packets of early data \(0-RTT\)/,
  ],
};
for (const [what, [change, message]] of Object.entries(wrong))
  test(`${what} is reported`, () => assert.match(judge(change).contradictions.join("\n"), message));

test("a TCP connection that the browser closed after it had moved to HTTP/3 is accepted, and its congestion control is not observable", () => {
  const { contradictions, notObservable } = judge({
    packets: { ...mixed.packets, flows: [flow("s1.lab", { congestion: null })] },
  });
  assert.deepEqual(contradictions, []);
  assert.match(notObservable.congestion!, /had moved to HTTP\/3 and closed its TCP connections/);
  const after = { requestToLastDataMs: 680, requestToLastAckMs: 681 };
  const answered = (congestion: string | null) =>
    judge({ packets: { ...mixed.packets, ...after, flows: [flow("s1.lab", { congestion })] } }).contradictions.join();
  assert.equal(answered(null), "", "the server's answer to the close came after the load event");
  assert.match(answered("cubic"), /the page had loaded after 800 ms; its packets took 885\.0 ms/);
  const reno = { ...mixed.packets, flows: [flow("s1.lab", { congestion: "reno" })] };
  assert.match(judge({ packets: reno }).contradictions.join(), /congestion control reno instead of cubic/);
});

test("if a browser without DevTools counts headers uncompressed, its responses may have slightly more bytes than QUIC carried", () => {
  const bytes = (host: { id: number | null }) => {
    const evidence = { ...mixed, connections: [overTcp, { ...overQuic, ...host }] };
    const sent = { datagrams: 30, bytes: 9900 };
    const quicFlows = [{ ...quicFlow, server: { ...quicServer, sent, opened: undefined } }];
    return datagramProblems({
      ...evidence,
      connections: [{ ...overQuic, ...host }],
      packets: { ...packets, quicFlows },
    });
  };
  assert.deepEqual(bytes({ id: null }), []);
  assert.match(bytes({ id: 9 }).join(), /s1\.lab sent 10200 bytes of responses, but only 9900 bytes over QUIC/);
});

test("if HTTP/3 is forced, a load that begins over HTTP/2 is reported", () =>
  assert.match(
    judge({}, "forced").contradictions.join("\n"),
    /1 responses over h2 instead of h3[\s\S]*TCP instead of QUIC/,
  ));
