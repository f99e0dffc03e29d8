import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionEvidence, Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./connections.axis.ts";

const registries = {
  protocols: { h1: { alpn: "http/1.1", connections: 6 }, h2: { alpn: "h2", connections: 1 } },
  defaults: { connections: "own" },
  pages: { A: { requests: 13 } },
  clients: {
    chromium: {},
    replay: { replays: { connections: 6, pipelines: false } },
    pipelining: { replays: { connections: 1, pipelines: true } },
  },
} as unknown as Registries;
const all = { page: "A", protocol: "h1", client: "replay", keepAlive: "on" } as ConditionValues;

/** A connection whose requests are made and answered at these times. */
const connection = (id: number | null, ...times: [startMs: number, endMs: number][]) =>
  ({ id, host: "s1.lab", requests: times.map(([startMs, endMs]) => ({ startMs, endMs })) }) as ConnectionEvidence;
const proof = (connections: ConditionValues["connections"], seen: ConnectionEvidence[]) =>
  axis.proves(connections, { ...all, connections }, { connections: seen } as Evidence, registries);

/** Six simultaneous requests over two connections, and over six connections. */
const two = [connection(1, [0, 90], [0, 190], [0, 290]), connection(2, [0, 90], [0, 190], [0, 290])];
const six = Array.from({ length: 6 }, (_, id) => connection(id, [0, 90]));

test("a configured number of connections is confirmed if the load used this number, and contradicted if the load used another number", () => {
  assert.equal(proof(2, two), "confirmed");
  assert.match(JSON.stringify(proof(2, six)), /6 connections to s1\.lab; 2 configured/);
  assert.match(JSON.stringify(proof(4, two)), /requests to s1\.lab waited for one of 2 connections; 4 configured/);
});

test("not observable: connections=2 if one connection was used and no request waited, and connections=own if fewer than six connections were used", () => {
  const idle = [connection(1, [0, 90], [100, 190])];
  assert.deepEqual(Object.keys(proof(2, idle)), ["notObservable"]);
  assert.deepEqual(Object.keys(proof("own", two)), ["notObservable"]);
  assert.equal(proof("own", six), "confirmed");
});

test("connections=each is confirmed by six connections with one request each, and not observable if the load made only one request", () => {
  assert.equal(proof("each", six), "confirmed");
  assert.match(JSON.stringify(proof("each", two)), /connection 1 to s1\.lab carried 3 requests; 1 expected/);
  assert.deepEqual(Object.keys(proof("each", six.slice(0, 1))), ["notObservable"]);
});

test("connections=in-turn is confirmed if each request had its own connection and began after the previous response had ended", () => {
  const inTurn = Array.from({ length: 3 }, (_, id) => connection(id, [100 * id, 100 * id + 90]));
  assert.equal(proof("in-turn", inTurn), "confirmed");
  assert.match(JSON.stringify(proof("in-turn", six)), /several requests were in progress at a time/);
  assert.match(JSON.stringify(proof("in-turn", [connection(1, [0, 90], [90, 180])])), /carried 2 requests/);
});

test("the number of connections is not observable if the client does not report which connection carried a request", () => {
  assert.deepEqual(Object.keys(proof(2, [connection(null, [0, 90])])), ["notObservable"]);
});

test("connections=2 is allowed only over HTTP/1.1 with keep-alive, and with a client that can change its number of connections", () => {
  const why = (change: Partial<ConditionValues>) => axis.refuses!(2, { ...all, ...change }, registries);
  assert.equal(why({}), null);
  assert.match(why({ protocol: "h2" })!, /share a connection/);
  assert.match(why({ client: "chromium" })!, /client chromium has no option for the number.*client replay/);
  assert.equal(why({ client: "pipelining" }), null);
  assert.match(axis.refuses!("each", { ...all, client: "pipelining" }, registries)!, /several requests over a connec/);
  assert.match(axis.refuses!("in-turn", { ...all, client: "pipelining" }, registries)!, /several requests over a conn/);
  assert.match(why({ keepAlive: "off" })!, /keepAlive=on is allowed/);
});

test("connections accepts a whole number from 1 to 1000, `own`, `each` or `in-turn`", () => {
  assert.equal(axis.value.parse("4"), 4);
  assert.equal(axis.value.parse("each"), "each");
  assert.throws(() => axis.value.parse("0"), /not one of own, each, in-turn, or a whole number from 1 to 1000/);
});
