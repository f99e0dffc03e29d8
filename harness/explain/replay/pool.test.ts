/** Which connection a request goes over. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf } from "../../../schema/trace.ts";
import { loadGraph } from "../load-events.ts";
import { loadOver, packet, request, segment, syn } from "../made-up-load.ts";
import { noLoss } from "./loss.ts";
import { Pool } from "./pool.ts";
import { replayedMs } from "./replay.ts";

test("requests wait in their order for a connection that is free, and take their own if it is", () => {
  const taken: string[] = [];
  const pool = new Pool<string, number>(
    (request) => request,
    (request) => (request === 3 ? "its own" : "another"),
    (request, connection) => taken.push(`${request} over ${connection}`),
  );
  pool.asks(2);
  pool.asks(1);
  pool.frees("first");
  pool.frees("second");
  pool.frees("third");
  pool.frees("its own");
  pool.asks(3);
  assert.deepEqual(taken, ["1 over first", "2 over second", "3 over its own"]);
});

// Two connections; the document's is free from 201 ms on. The other request is found then, and its own connection's SYN, sent at
// 150 ms, is answered at 250 ms: in the trace it waited for that.
const ask = (sentMs: number, n: number) => packet(sentMs, sentMs + 50, { offset: 100 * n, bytes: 100 });
const { load, trace } = loadOver(351, [request("/", 0, 100, 201)], [ask(100, 0)], [segment(150, 201, 0)]);
const [first] = load.evidence.connections;
load.evidence.connections.push({ ...first!, id: 2, requests: [request("/2", 201, 250, 351)] });
trace.flows.push({
  ...trace.flows[0]!,
  clientPort: 40001,
  up: columnsOf([syn(150), ask(250, 0)]),
  down: columnsOf([packet(200, 250, { syn: true }), segment(300, 351, 0)]),
});

test("a request goes over a connection that is free sooner than its own", () => {
  const direction = { delayUs: 50_000, rateMbps: 12.112, queuePackets: 50, loses: noLoss };
  const world = {
    down: direction,
    up: { ...direction, rateMbps: 1e6 },
    server: { initcwnd: 10, hystart: true },
    hasLinuxWindow: true,
  };
  const ms = replayedMs(loadGraph(load, trace)!, world)!;
  assert.equal(Math.round(10 * ms) / 10, 302);
});
