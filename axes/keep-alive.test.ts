import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionEvidence, Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./keep-alive.axis.ts";

const registries = {
  protocols: { h1: { alpn: "http/1.1", connections: 6 }, h2: { alpn: "h2", connections: 1 } },
  defaults: { keepAlive: "on" },
  pages: { A: { requests: 13 }, mine: { sha256: "", learnt: {} } },
  clients: { chromium: {}, replay: { replays: { pipelines: false } } },
} as unknown as Registries;
const all = { page: "A", protocol: "h1", client: "chromium", handshake: "full", view: "first" } as ConditionValues;

/** A connection whose requests are sent and answered at these times. */
const connection = (id: number | null, ...times: [sentMs: number, endMs: number][]) =>
  ({
    id,
    host: "s1.lab",
    requests: times.map(([sentMs, endMs]) => ({ startMs: 0, sentMs, endMs })),
  }) as ConnectionEvidence;
const proof = (keepAlive: "on" | "off", connections: ConnectionEvidence[]) =>
  axis.proves(keepAlive, all, { connections } as Evidence, registries);
const closed = Array.from({ length: 12 }, (_, i) =>
  connection(i, [100 * Math.floor(i / 6), 100 * Math.floor(i / 6) + 90]),
);

test("keepAlive=off is confirmed by connections with one request each, and at most six requests at a time", () => {
  assert.equal(proof("off", closed), "confirmed");
  assert.match(JSON.stringify(proof("on", closed)), /each of 12 connections carried one request/);
});

test("keepAlive=on is confirmed by a connection that carried two requests", () => {
  const kept = [connection(1, [0, 90], [100, 190]), connection(2, [0, 90])];
  assert.equal(proof("on", kept), "confirmed");
  assert.match(JSON.stringify(proof("off", kept)), /connection 1 to s1\.lab carried 2 requests; 1 expected/);
});

test("keepAlive=off is contradicted by seven concurrent requests to a host, because the client may open only six connections to a host", () =>
  assert.match(
    JSON.stringify(proof("off", [...closed, connection(12, [50, 60])])),
    /7 requests to a host at a time; at most 6 expected/,
  ));

test("with an imported page, seven concurrent requests to a host do not contradict keepAlive=off: fonts and modules use separate connections", () => {
  const mine = { ...all, page: "mine" };
  const seven = { connections: [...closed, connection(12, [50, 60])] } as Evidence;
  assert.equal(axis.proves("off", mine, seven, registries), "confirmed");
  assert.deepEqual(Object.keys(axis.proves("on", mine, { connections: closed } as Evidence, registries)), [
    "notObservable",
  ]);
});

test("keepAlive=on is not observable with six connections of one request each, or if the client does not report its connections", () => {
  const shown = (...given: Parameters<typeof proof>) => Object.keys(proof(...given))[0];
  assert.equal(shown("on", closed.slice(0, 6)), "notObservable");
  assert.equal(shown("on", [connection(null, [0, 90], [100, 190])]), "notObservable");
});

test("keepAlive=off is allowed only over HTTP/1.1, in a browser, without an earlier visit", () => {
  const why = (change: Partial<ConditionValues>) => axis.refuses!("off", { ...all, ...change }, registries);
  assert.equal(why({}), null);
  assert.match(why({ protocol: "h2" })!, /share a connection/);
  assert.match(why({ handshake: "resumed" })!, /full handshakes/);
  assert.match(why({ client: "replay" })!, /does not replace a closed one/);
});
