import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionView, EvidenceView } from "../data/detail.ts";
import { rowsOf } from "./spans.ts";

const none = { sentPackets: 0, sentBytes: 0, lostPackets: 0, queueDroppedPackets: 0 };
const detailOf = (connection: ConnectionView): EvidenceView => ({
  timing: { connectStart: 0, connectEnd: 30, requestStart: 30, responseStart: 50, responseEnd: 60 },
  paint: null,
  connections: [connection],
  flows: [{ host: "s1", port: 1, handshakeMs: 20, sent: 1, retransmitted: 0, note: "" }],
  link: { down: none, up: none },
  linkUse: null,
  proof: [],
  trace: null,
});
const connection = (protocol: string, sent: number[], answered: number[]): ConnectionView => ({
  host: "s1",
  protocol,
  tls: "",
  requests: {
    path: [0, 1, 2],
    status: [200, 200, 200],
    bytes: [1, 1, 1],
    start: [0, 600, 600],
    took: [600, 200, 500],
    sent,
    answered,
  },
});
const unknown = [-1, -1, -1];
const barsOf = (given: ConnectionView) =>
  rowsOf(detailOf(given), ["/", "/a", "/b"])[0]!.requests.map(({ bars }) =>
    bars.map(({ phase, fromMs, toMs }) => `${phase} ${fromMs}-${toMs}`),
  );

test("the document's request has a bar for each step that the browser reports", () =>
  assert.deepEqual(barsOf(connection("h2", unknown, unknown))[0], [
    "connect 0-20",
    "tls 20-30",
    "wait 30-50",
    "receive 50-60",
  ]));

test("over HTTP/1.1 a response waits for the previous one on its connection; over HTTP/2 it does not wait", () => {
  assert.deepEqual(barsOf(connection("http/1.1", unknown, unknown)).slice(1), [
    ["answer 60-80"],
    ["queued 60-80", "answer 80-110"],
  ]);
  assert.deepEqual(barsOf(connection("h2", unknown, unknown)).slice(1), [["answer 60-80"], ["answer 60-110"]]);
});

test("if the record has the times at which requests were sent and answered, the bars use these times", () =>
  assert.deepEqual(barsOf(connection("http/1.1", [0, 50, 100], [1, 100, 300])).slice(1), [
    ["queued 60-65", "wait 65-70", "receive 70-80"],
    ["queued 60-70", "wait 70-90", "receive 90-110"],
  ]));
