import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionEvidence } from "../schema/evidence.ts";
import { frameColumnsOf, pieceColumnsOf } from "../schema/stream-trace.ts";
import { columnsOf, type Trace } from "../schema/trace.ts";
import { isIncremental, orderIn, urgencyOf } from "./priorities.ts";

const request = (path: string, bytes: number, sentMs: number, priority?: string) => ({
  ...{ path, status: 200, bytes, startMs: 0, sentMs, endMs: 1 },
  ...(priority !== undefined && { priority }),
});
const connections = (requests: ConnectionEvidence["requests"]): ConnectionEvidence[] => [
  { id: 1, host: "s1.lab", address: "198.18.1.11:4433", protocol: "h3", software: [], requests },
];
const piece = (datagram: number, stream: number, offset: number) => ({
  datagram,
  stream,
  offset,
  bytes: 1000,
  fin: false,
});

/** Both requests arrive at 50 ms. The server sends an image first, and the script between the image's second and third packet. */
const trace: Trace = {
  firstRequestUs: 0,
  flows: [],
  quicFlows: [
    {
      ...{ server: "198.18.1.11:4433", clientPort: 40000 },
      down: { sentUs: [60_000, 1000, 1000, 1000], tookUs: [50_000, 50_000, 50_000, 50_000], frameBytes: [1, 1, 1, 1] },
      up: { sentUs: [0, 0], tookUs: [50_000, 50_000], frameBytes: [1, 1] },
      opened: {
        down: {
          ...{ bytes: [1000, 1000, 1000, 1000], acknowledged: [null, null, null, null] },
          pieces: pieceColumnsOf([piece(0, 0, 0), piece(1, 0, 1000), piece(2, 4, 0), piece(3, 0, 2000)]),
        },
        up: {
          ...{ bytes: [100, 100], acknowledged: [null, null] },
          pieces: pieceColumnsOf([piece(0, 0, 0), piece(1, 4, 0)]),
        },
      },
    },
  ],
};
const earlyBytes = (image?: string, script?: string) =>
  orderIn(trace, connections([request("/a.jpg", 3000, 1, image), request("/b.js", 1000, 2, script)]))[0]?.earlyBytes;

test("earlyBytes counts bytes that are sent while a more urgent response waits", () => {
  assert.equal(earlyBytes("u=5, i", "u=1"), 2000, "the packet after the script is not early");
  assert.equal(earlyBytes("u=1", "u=5, i"), 1000, "the script's packet is early, because the image is not complete");
  assert.equal(earlyBytes("u=2", "u=2"), 0);
});

test("a request without a priority header has urgency 3; if no request has the header, nothing is measured", () => {
  assert.equal(earlyBytes("u=5"), 2000);
  assert.equal(earlyBytes("i"), 0);
  assert.equal(earlyBytes(), undefined);
  assert.deepEqual(
    ["u=0", "i, u=6", "i", "u=9", "xu=1", "u=666, r", "u=1.5"].map((priority) => urgencyOf({ priority })),
    [0, 6, 3, 3, 3, 3, 3],
  );
});

test("a response is incremental only if the parameter i of its request's priority is true", () => {
  const incremental = ["i", "u=0, i", "i=?1, u=5", "u=0", "i=?0", "u=1, inc", ""];
  assert.deepEqual(
    incremental.map((priority) => isIncremental({ priority })),
    [true, true, true, false, false, false, false],
  );
});

/** A segment that arrives 50 ms after it was sent. */
const segment = (sentMs: number, offset: number, bytes: number) => ({
  ...{ sentUs: 1000 * sentMs, arrivedUs: 1000 * (sentMs + 50), frameBytes: bytes + 66, offset, bytes },
  ...{ acknowledged: 0, sackedTo: 0, window: 0, flags: 0 },
});

test("over HTTP/2, the bytes of a segment that two streams share are divided between these streams", () => {
  // The image's first 1,200 bytes fill a segment. The next segment has 300 bytes of the image, in two frames, and 900 bytes of the script.
  const frames = [
    { stream: 1, at: 0, bytes: 1200 },
    { stream: 1, at: 1200, bytes: 100 },
    { stream: 1, at: 1300, bytes: 200 },
    { stream: 3, at: 1500, bytes: 900 },
    { stream: 3, at: 2400, bytes: 100 },
  ];
  const asked = [
    { stream: 1, at: 0, bytes: 100 },
    { stream: 3, at: 100, bytes: 100 },
  ];
  const flow = {
    ...{ server: "198.18.1.11:4432", clientPort: 40000 },
    down: columnsOf([segment(60, 0, 1200), segment(61, 1200, 1200), segment(62, 2400, 100)]),
    up: columnsOf([segment(0, 0, 200)]),
    frames: { down: frameColumnsOf(frames), up: frameColumnsOf(asked) },
  };
  const requests = [request("/a.jpg", 1500, 1, "u=5"), request("/b.js", 1000, 2, "u=1")];
  const [order] = orderIn({ ...trace, flows: [flow], quicFlows: [] }, connections(requests));
  assert.equal(order?.earlyBytes, 1500);
});

/** The script's request arrives later than the image's, while the image's 6,000 bytes are being sent. */
function contest(down: [stream: number, offset: number][]) {
  const [opened, flow] = [trace.quicFlows[0]!.opened!, trace.quicFlows[0]!];
  const later = { ...flow.up, sentUs: [0, 12_000] };
  const every = down.map(() => 50_000);
  const sent = {
    ...{ bytes: down.map(() => 1000), acknowledged: down.map(() => null) },
    pieces: pieceColumnsOf(down.map(([stream, offset], i) => piece(i, stream, offset))),
  };
  const times = {
    sentUs: down.map((_, i) => (i === 0 ? 60_000 : 1000)),
    tookUs: every,
    frameBytes: every.map(() => 1),
  };
  const quicFlows = [{ ...flow, down: times, up: later, opened: { ...opened, down: sent } }];
  const requests = [request("/a.jpg", 6000, 1, "u=5"), request("/b.js", 2000, 2, "u=1")];
  return orderIn({ ...trace, quicFlows }, connections(requests))[0];
}
const image = (...kilobytes: number[]) => kilobytes.map((k): [number, number] => [0, 1000 * k]);
const script = (...kilobytes: number[]) => kilobytes.map((k): [number, number] => [4, 1000 * k]);

test("earlyBytes is 0 if a server sends a later, more urgent response first, 2,000 if it alternates, 3,000 if it keeps the order of requests", () => {
  const honoured = contest([...image(0, 1, 2), ...script(0, 1), ...image(3, 4, 5)]);
  assert.deepEqual(honoured, { earlyBytes: 0, contestedBytes: 2000 });
  const inTurns = contest([...image(0, 1, 2, 3), ...script(0), ...image(4), ...script(1), ...image(5)]);
  assert.deepEqual(inTurns, { earlyBytes: 2000, contestedBytes: 2000 });
  const inOrder = contest([...image(0, 1, 2, 3, 4, 5), ...script(0, 1)]);
  assert.deepEqual(inOrder, { earlyBytes: 3000, contestedBytes: 2000 });
});

test("if the browser reports no connections, requests are matched with streams by the order of their sizes", () => {
  const counted = (...requests: ConnectionEvidence["requests"]) =>
    orderIn(trace, [{ ...connections(requests)[0]!, id: null, address: null }])[0];
  const [image, script] = [request("/a.jpg", 3201, 1, "u=5, i"), request("/b.js", 1198, 2, "u=1")];
  assert.deepEqual(counted(image, script), { earlyBytes: 2000, contestedBytes: 0 });
  assert.equal(counted(image), null, "another connection has the other request");
});

test("contestedBytes is 0 if a more urgent request arrives at the same time as a less urgent one", () => {
  const [order] = orderIn(trace, connections([request("/a.jpg", 3000, 1, "u=5"), request("/b.js", 1000, 2, "u=1")]));
  assert.equal(order?.contestedBytes, 0, "both requests came at once");
});
