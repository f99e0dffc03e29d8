/** Verdicts on how a browser comes to use HTTP/3: forced, announced by responses of the load, or remembered from an earlier visit. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Discovery } from "../schema/discovery.ts";
import type { ConnectionEvidence, Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./discovery.axis.ts";
import { axis as protocol } from "./protocol.axis.ts";

const spoken = { scheme: "https", connections: 1 } as const;
const registries = {
  protocols: {
    h2: { ...spoken, alpn: "h2", port: 4432, transport: "tcp" },
    h3: { ...spoken, alpn: "h3", port: 4433, transport: "quic" },
  },
  pages: { A: { requests: 3, bodyBytes: 30_000, objects: {} } },
  clients: {
    chromium: { userAgent: "HeadlessChrome/", protocols: ["h2", "h3"] },
    firefox: { userAgent: "Firefox/", protocols: ["h2", "h3"], drivenBy: "WebDriver BiDi" },
  },
} as unknown as Registries;

const announcement = 'h3=":4433"';
const over = (protocol: string, host: string, sentMs: number, news: Partial<ConnectionEvidence> = {}) =>
  ({
    id: protocol === "h2" ? 1 : 2,
    host,
    protocol,
    altSvc: [announcement],
    requests: [{ path: "/", startMs: sentMs, sentMs, answeredMs: sentMs + 100 }],
    ...news,
  }) as ConnectionEvidence;
const first = over("h2", "s1.lab", 0);
const moved = over("h3", "s1.lab", 150);
const told = { responses: { h2: 2, h3: 1 }, altSvc: [announcement] };

const proof = (discovery: Discovery, connections: ConnectionEvidence[], earlier?: Evidence["earlier"]) => {
  const all = { page: "A", protocol: "h3", client: "chromium", discovery } as ConditionValues;
  const verdict = axis.proves(discovery, all, { connections, earlier } as Evidence, registries);
  return verdict === "confirmed" ? verdict : "contradicts" in verdict ? verdict.contradicts.join("; ") : "";
};

test("`alt-svc` is confirmed if a load begins over HTTP/2, whether or not it later uses HTTP/3", () => {
  assert.equal(proof("alt-svc", [first]), "confirmed");
  assert.equal(proof("alt-svc", [first, moved]), "confirmed");
});

test("`alt-svc` is contradicted by requests over HTTP/3 to a host that has not announced HTTP/3 yet", () => {
  const early = "requests to s1.lab went over h3 before a response over h2 announced it";
  assert.equal(proof("alt-svc", [over("h3", "s1.lab", 0)]), `1 ${early}`);
  assert.equal(proof("alt-svc", [first, over("h3", "s1.lab", 50)]), `1 ${early}`);
  assert.equal(
    proof("alt-svc", [first, over("h3", "s2.lab", 150)]),
    "1 requests to s2.lab went over h3 before a response over h2 announced it",
    "an announcement counts only for its own host",
  );
});

test("`alt-svc` is contradicted if responses over HTTP/2 do not announce HTTP/3, or announce another port", () => {
  const { altSvc: _, ...silent } = first;
  assert.match(proof("alt-svc", [silent]), /s1\.lab over h2 announced "" instead of "h3=":4433""/);
  assert.match(proof("alt-svc", [{ ...first, altSvc: ['h3=":443"'] }]), /announced "h3=":443"" instead/);
});

test("`alt-svc` is contradicted if the evidence has an earlier visit", () =>
  assert.match(proof("alt-svc", [first], told), /there was an earlier visit/));

test("`remembered` is confirmed if the earlier visit used HTTP/2 and received the announcement of HTTP/3", () => {
  assert.equal(proof("remembered", [over("h3", "s1.lab", 0)], told), "confirmed");
  assert.equal(proof("remembered", [first], told), "confirmed", "the browser may still use HTTP/2");
  assert.match(proof("remembered", [moved]), /no earlier visit/);
  assert.match(
    proof("remembered", [moved], { ...told, responses: { h3: 3 } }),
    /no response of the earlier visit came over h2/,
  );
  assert.match(proof("remembered", [moved], { ...told, altSvc: [] }), /announced "" instead of/);
});

test("`forced` is contradicted by HTTP/2 in the load or in an earlier visit", () => {
  assert.equal(proof("forced", [over("h3", "s1.lab", 0)]), "confirmed");
  assert.match(proof("forced", [first, moved]), /1 connections over another protocol than h3, which is forced/);
  assert.match(proof("forced", [over("h3", "s1.lab", 0)], told), /the earlier visit used HTTP\/2/);
});

test("`alt-svc` is refused over HTTP/2, with an initial window other than 10 and in a repeat view; `remembered` is refused with Firefox", () => {
  const refuses = (discovery: Discovery, change: Partial<ConditionValues>) => {
    const usual = { protocol: "h3", client: "chromium", view: "first", handshake: "full", initcwnd: 10 };
    return axis.refuses?.(discovery, { ...usual, discovery, ...change } as ConditionValues, registries);
  };
  assert.equal(refuses("alt-svc", {}), null);
  assert.equal(refuses("forced", { protocol: "h2" }), null);
  assert.match(refuses("alt-svc", { protocol: "h2" })!, /h2 needs no announcement; only forced/);
  assert.match(refuses("alt-svc", { view: "repeat" })!, /or remembered with view=repeat/);
  assert.equal(refuses("remembered", { view: "repeat" }), null);
  assert.match(refuses("alt-svc", { initcwnd: 3 })!, /another initial window than its QUIC connections; initcwnd 10/);
  assert.equal(refuses("alt-svc", { client: "firefox" }), null);
  assert.match(refuses("remembered", { client: "firefox" })!, /forced and alt-svc are allowed/);
});

test("unless HTTP/3 is forced, a load may use one TCP and one QUIC connection to each host; more connections contradict h3", () => {
  const flow = (clientPort: number) => ({ clientPort, host: "s1.lab", server: { tls: "full", sentSegments: 9 } });
  const quic = (clientPort: number) => ({
    ...{ clientPort, host: "s1.lab" },
    server: { tls: "full", sent: { datagrams: 9 }, longHeaders: { zeroRtt: 0, retry: 0 } },
  });
  const judged = (discovery: Discovery, connections: ConnectionEvidence[]) => {
    const packets = { flows: [flow(1)], quicFlows: [quic(2)] };
    const all = { page: "A", protocol: "h3", client: "chromium", discovery } as ConditionValues;
    return JSON.stringify(protocol.proves("h3", all, { connections, packets } as unknown as Evidence, registries));
  };
  assert.equal(judged("alt-svc", [first, moved]), '"confirmed"');
  assert.match(judged("alt-svc", [first, { ...first, id: 3 }, moved]), /2 connections to s1\.lab; at most 1 expected/);
  assert.match(judged("alt-svc", [{ ...first, protocol: "http/1.1" }]), /1 responses over http\/1\.1 instead of h3/);
  assert.match(judged("forced", [first, moved]), /1 responses over h2 instead of h3.*TCP instead of QUIC/);
});

test("if a browser does not report its connections, the connections in the captures are counted", () => {
  const quic = (clientPort: number, datagrams: number) => ({
    ...{ clientPort, host: "s1.lab" },
    server: { tls: "full", sent: { datagrams }, longHeaders: { zeroRtt: 0, retry: 0 } },
  });
  const judged = (...datagrams: number[]) => {
    const quicFlows = datagrams.map((count, i) => quic(i, count));
    const connections = [{ ...over("h3", "s1.lab", 0), id: null }];
    const all = { page: "A", protocol: "h3", client: "firefox", discovery: "forced" } as ConditionValues;
    const evidence = { connections, packets: { flows: [], quicFlows } } as unknown as Evidence;
    return JSON.stringify(protocol.proves("h3", all, evidence, registries));
  };
  assert.equal(judged(90), '"confirmed"');
  assert.equal(judged(90, 5), '"confirmed"', "a connection that carried no response");
  assert.match(judged(90, 20), /2 connections to s1\.lab; at most 1 expected/);
});
