/** Tests verdicts on resumed sessions and on early data over QUIC. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis as certificates } from "./certificates.axis.ts";
import { axis } from "./handshake.axis.ts";
import { axis as protocol } from "./protocol.axis.ts";

const spoken = { scheme: "https", connections: 1 } as const;
const registries = {
  protocols: {
    h2: { ...spoken, alpn: "h2", port: 4432, transport: "tcp" },
    h3: { ...spoken, alpn: "h3", port: 4433, transport: "quic" },
  },
  pages: { A: { requests: 3, bodyBytes: 30_000, objects: {} } },
  clients: { chromium: { userAgent: "HeadlessChrome/", protocols: ["h2", "h3"] } },
} as unknown as Registries;

const link = { rtt: 100, down: 10, up: 1, loss: 0, queue: 50, rate: "10/1", jitter: 0 };
const usual = { page: "A", protocol: "h3", client: "chromium", thinkTime: 0, serverTimes: "none", tls: "1.3" };
type Kind = ConditionValues["handshake"];

interface Seen {
  tls?: "full" | "resumed";
  zeroRtt?: number;
  responseStart?: number;
  lostPackets?: number;
  all?: Partial<ConditionValues>;
}
function evidenceOf({ tls = "resumed", zeroRtt = 2, responseStart = 105, lostPackets = 0 }: Seen): Evidence {
  const longHeaders = { initial: 2, zeroRtt, handshake: 1, retry: 0 };
  const server = { tls, sent: { datagrams: 9, bytes: 9000 }, firstFlight: { datagrams: 2, bytes: 300 }, longHeaders };
  const counters = { lostPackets, queueDroppedPackets: 0 };
  return {
    connections: [{ id: 1, host: "s1.lab", protocol: "h3", requests: [{ path: "/" }] }],
    timing: { connectStart: 1, responseStart },
    link: { down: counters, up: counters },
    packets: { flows: [], quicFlows: [{ host: "s1.lab", clientPort: 40000, server }] },
  } as unknown as Evidence;
}
const conditionOf = (handshake: Kind, { all = {} }: Seen) =>
  ({ ...link, ...usual, handshake, ...all }) as unknown as ConditionValues;
const proof = (handshake: Kind, seen: Seen = {}) =>
  JSON.stringify(axis.proves(handshake, conditionOf(handshake, seen), evidenceOf(seen), registries));

test("over QUIC, a resumed TLS session confirms `resumed` and contradicts `full`, and a full handshake contradicts `resumed`", () => {
  assert.equal(proof("resumed", { zeroRtt: 0 }), '"confirmed"');
  assert.match(proof("resumed", { tls: "full" }), /0 of 1 connections to s1\.lab resumed a TLS session/);
  assert.match(proof("full"), /a resumed TLS session/);
});

test("0-RTT is confirmed by packets of early data and a first response after one round trip", () => {
  assert.equal(proof("0-rtt"), '"confirmed"');
  assert.match(proof("0-rtt", { zeroRtt: 0 }), /no packet of early data \(0-RTT\) to s1\.lab/);
  assert.match(proof("0-rtt", { tls: "full" }), /0 of 1 connections to s1\.lab resumed/);
});

test("0-RTT is contradicted if the first response takes two round trips, unless a lost packet or a think time may explain the delay", () => {
  const late = { responseStart: 205 };
  assert.match(proof("0-rtt", late), /contradicts.*came after 204 ms: the server may not have accepted early data/);
  assert.match(proof("0-rtt", { ...late, lostPackets: 1 }), /^\{"inconclusive"/);
  assert.match(proof("0-rtt", { ...late, all: { thinkTime: 100 } }), /^\{"notObservable"/);
});

test("packets of early data contradict the protocol h3, unless the condition has 0-RTT", () => {
  const judged = (handshake: Kind) =>
    JSON.stringify(protocol.proves("h3", conditionOf(handshake, {}), evidenceOf({}), registries));
  assert.equal(judged("0-rtt"), '"confirmed"');
  assert.match(judged("resumed"), /2 packets of early data \(0-RTT\)/);
});

test("certificates are not observable if all QUIC sessions were resumed, because the server then sends no certificates", () => {
  const proves = (seen: Seen) =>
    JSON.stringify(certificates.proves("ec2", conditionOf("resumed", seen), evidenceOf(seen), registries));
  assert.match(proves({}), /a server sends no certificates/);
  assert.match(proves({ tls: "full" }), /a first flight of 300 bytes; ec2 needs 768/);
});

test("early data is refused over TCP", () =>
  assert.match(
    axis.refuses!("0-rtt", { ...usual, protocol: "h2" } as ConditionValues, registries)!,
    /no server here accepts early data over TCP, which h2 uses; full and resumed are allowed/,
  ));
