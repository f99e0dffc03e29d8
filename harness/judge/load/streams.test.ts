/** Evidence of streams with impossible numbers is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../../schema/evidence.ts";
import type { StreamsEvidence } from "../../../schema/packet-evidence.ts";
import { good } from "./quic-load.fixture.ts";
import { streamProblems } from "./streams.ts";

const streams: StreamsEvidence = {
  responses: 1,
  bytes: good.receivedBytes,
  ...{ waitedBytes: 0, blockedBytes: 0, longestBlockedMs: 0, passedBytes: 0 },
};

/** @param lost how many packets the link lost */
function problems(change: Partial<StreamsEvidence>, lost = 0, news: Partial<Evidence> = {}): string[] {
  const { quicFlows = [] } = good.packets;
  const packets = {
    ...good.packets,
    quicFlows: quicFlows.map((flow) => ({ ...flow, streams: { ...streams, ...change } })),
  };
  const link = { ...good.link, down: { ...good.link.down, lostPackets: lost } };
  return streamProblems({ ...good, packets, link, ...news }, true);
}

test("the streams of a load must have as many bytes as the client reports, unless a response never ended", () => {
  assert.deepEqual(problems({}), []);
  assert.match(problems({ bytes: streams.bytes + 1 })[0]!, /reports 30200 bytes .* streams have 30201/);
  const unfinished = good.connections.map((one) => ({
    ...one,
    requests: one.requests.map((request) => ({ ...request, endMs: null })),
  }));
  assert.deepEqual(problems({ bytes: 1 }, 0, { connections: unfinished }), [], "a response that never ended");
});

test("evidence of bytes that waited for other bytes is refused unless the link lost a packet", () => {
  for (const part of ["waitedBytes", "blockedBytes", "passedBytes", "longestBlockedMs"] as const) {
    assert.match(problems({ [part]: 1 })[0]!, /link lost none/, part);
    assert.deepEqual(problems({ [part]: 1 }, 1), [], part);
  }
});

test("more waiting bytes than the responses have, or more responses than bytes, are refused", () => {
  for (const part of ["waitedBytes", "blockedBytes", "passedBytes"] as const)
    assert.match(problems({ [part]: streams.bytes + 1 }, 1)[0]!, /passed others than its responses have, 30200/, part);
  assert.match(problems({ responses: streams.bytes + 1 })[0]!, /30201 responses have only 30200 bytes/);
});
