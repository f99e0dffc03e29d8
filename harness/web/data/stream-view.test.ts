import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionEvidence } from "../../../schema/evidence.ts";
import { pieceColumnsOf } from "../../../schema/stream-trace.ts";
import type { Trace } from "../../../schema/trace.ts";
import { streamViews, waits } from "./stream-view.ts";

const request = (path: string, bytes: number, sentMs: number) => ({
  path,
  status: 200,
  bytes,
  startMs: 0,
  sentMs,
  endMs: 1,
});
const connection: ConnectionEvidence = {
  ...{ id: 1, host: "s1.lab", address: "198.18.1.11:4433", protocol: "h3", software: [] },
  requests: [request("/late", 2000, 2), request("/", 1500, 1)],
};
const pieces = pieceColumnsOf([
  { datagram: 0, stream: 0, offset: 0, bytes: 1000, fin: false },
  { datagram: 1, stream: 4, offset: 0, bytes: 1000, fin: false }, // lost
  { datagram: 2, stream: 0, offset: 1000, bytes: 500, fin: true },
  { datagram: 3, stream: 4, offset: 1000, bytes: 1000, fin: true },
  { datagram: 4, stream: 4, offset: 0, bytes: 1000, fin: false },
]);
const nothing = { bytes: [], acknowledged: [], pieces: pieceColumnsOf([]) };
const trace: Trace = {
  firstRequestUs: 0,
  flows: [],
  quicFlows: [
    {
      ...{ server: "198.18.1.11:4433", clientPort: 40000 },
      down: {
        sentUs: [0, 1000, 0, 1000, 98_000],
        tookUs: [50_000, null, 50_000, 50_000, 50_000],
        frameBytes: [1, 1, 1, 1, 1],
      },
      up: { sentUs: [], tookUs: [], frameBytes: [] },
      opened: { down: { bytes: [], acknowledged: [], pieces }, up: nothing },
    },
  ],
};

test("each response has bars of bytes that were read on arrival, and of bytes that waited for a lost packet", () => {
  const paths: string[] = [];
  const views = streamViews([connection], trace, (path) => paths.push(path) - 1);
  assert.deepEqual(
    views.map(({ path, ...view }) => ({ path: paths[path], ...view })),
    [
      { path: "/", from: [500], to: [510], wait: [waits.none] },
      { path: "/late", from: [520, 1500], to: [1500, 1500], wait: [waits.own, waits.none] },
    ],
  );
});
