import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf } from "../../schema/trace.ts";
import { accountOf } from "./account.ts";
import { ack, ask, loadOver, packet, request, segment } from "./made-up-load.fixture.ts";

/** Makes a load on a link with 50 ms one-way delay, from a host whose packets leave 30 ms later than TCP sends them. */
function farLoad() {
  const down = [segment(180, 261, 0), segment(311, 392, 1), segment(311, 393, 2)];
  const { load, trace } = loadOver(393, [request("/", 0, 130, 393)], [ask(130), ack(261, 1)], down);
  trace.flows[0]!.down = columnsOf([packet(50, 130, { syn: true }), ...down]);
  load.evidence.serverQdiscs = { server1: "netem limit 100000 delay 30ms" };
  return { load, trace };
}
const hosts = [{ service: "server1", name: "s1.lab", address: "198.18.1.11" }];
const partsOf = (more: object) => {
  const { load, trace } = farLoad();
  const { parts } = accountOf(load, trace, more)!;
  return Object.fromEntries(Object.entries(parts).filter(([, ms]) => ms >= 0.01));
};

test('the extra delay of a distant host counts as "propagation", or as "window" in a wait for an acknowledgment', () =>
  assert.deepEqual(partsOf({ registries: { hosts } }), { connections: 130, propagation: 130, window: 130, rate: 3 }));

test('without a list of hosts, their extra delay counts as "unknown"', () => assert.equal(partsOf({}).unknown, 60));
