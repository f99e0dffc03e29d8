/** Metrics of transfers, computed from evidence for which the correct values are known. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import { metrics } from "./registry.ts";

const transit = (ms: number) => ({ transit: { least: { ms, bytes: 66 } } });
const flow = (exchangesMs: number[], server: object) => ({ exchangesMs, server });
const one = {
  receivedBytes: 30_000,
  packets: {
    synToRequestMs: 100,
    requestToLastDataMs: 300,
    requestToLastAckMs: 301,
    path: { down: transit(51), up: transit(49) },
    flows: [flow([300], { sentSegments: 22, retransmittedSegments: 2, firstDataToLastAckMs: 290 })],
  },
  link: { down: { sentPackets: 30, sentBytes: 39_000 }, up: { sentPackets: 20, sentBytes: 1_000 } },
} as unknown as Evidence;
const two = {
  ...one,
  packets: {
    ...one.packets,
    flows: [
      flow([100, 150, 200], { sentSegments: 9, retransmittedSegments: 0 }),
      flow([300], { sentSegments: 1, retransmittedSegments: 1 }),
    ],
  },
} as unknown as Evidence;
const of = (name: string, evidence: Evidence) => metrics[name]!.of(evidence);

test("30 KB that arrive in 300 ms at an RTT of 100 ms are 3 round trips and 100 KB/s; 2 retransmissions for 20 segments are 10%", () => {
  assert.equal(of("requestLatencyMs", one), 300);
  assert.equal(of("tcpLatencyMs", one), 290);
  assert.equal(of("transferRoundTrips", one), 3);
  assert.equal(of("loadRoundTrips", one), 4);
  assert.equal(of("goodputKBps", one), 100);
  assert.equal(of("retransmittedPercent", one), 10);
});

test("packets and linkKB add up both directions, upKB has the bytes from the client, and tcpConnections counts flows", () => {
  assert.deepEqual([of("tcpConnections", one), of("tcpConnections", two)], [1, 2]);
  assert.equal(of("packets", one), 50);
  assert.equal(of("linkKB", one), 40);
  assert.equal(of("upKB", one), 1);
});

test("with several responses, tcpLatencyMs is null; objectRoundTrips uses all requests, firstObjectRoundTrips only each connection's first", () => {
  assert.equal(of("tcpLatencyMs", two), null);
  assert.equal(of("objectRoundTrips", two)?.toFixed(6), "2.400000");
  assert.equal(of("firstObjectRoundTrips", two)?.toFixed(6), "2.600000");
});

test("longFlowKBps and shortFlowKBps are the goodputs of the flows with most and fewest bytes; null if a flow carried several responses", () => {
  const requests = (...bytes: number[]) => [{ requests: bytes.map((each) => ({ bytes: each })) }];
  const beside = {
    ...one,
    connections: requests(2_000, 30_000),
    packets: {
      ...one.packets,
      flows: [
        flow([20], { sentSegments: 24, retransmittedSegments: 22 }),
        flow([300], { sentSegments: 22, retransmittedSegments: 0 }),
        flow([], { sentSegments: 0, retransmittedSegments: 0 }),
      ],
    },
  } as unknown as Evidence;
  assert.deepEqual([of("longFlowKBps", beside), of("shortFlowKBps", beside)], [100, 100]);
  const quick = structuredClone(beside);
  quick.packets.flows[0]!.exchangesMs = [10];
  assert.deepEqual([of("longFlowKBps", quick), of("shortFlowKBps", quick)], [100, 200]);
  quick.packets.flows[1]!.exchangesMs = [150, 150];
  assert.deepEqual([of("longFlowKBps", quick), of("shortFlowKBps", quick)], [null, null]);
});

test("a metric is null if the packets that it needs were not captured", () => {
  const path = { down: { transit: null }, up: { transit: null } };
  const unseen = {
    ...one,
    packets: { ...one.packets, path, requestToLastDataMs: null, flows: [] },
  } as unknown as Evidence;
  for (const name of ["requestLatencyMs", "transferRoundTrips", "loadRoundTrips", "objectRoundTrips", "goodputKBps"])
    assert.equal(of(name, unseen), null, name);
});
