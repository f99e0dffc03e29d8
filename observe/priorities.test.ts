import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionEvidence } from "../schema/evidence.ts";
import type { PacketEvidence } from "../schema/packet-evidence.ts";
import { pieceColumnsOf } from "../schema/stream-trace.ts";
import type { Trace } from "../schema/trace.ts";
import { withStreams } from "./head-of-line.ts";
import { urgencyOf, withPriorities } from "./priorities.ts";

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
const packets = withStreams({ flows: [], quicFlows: [{}] } as unknown as PacketEvidence, trace);

const earlyBytes = (image?: string, script?: string) =>
  withPriorities(packets, trace, connections([request("/a.jpg", 3000, 1, image), request("/b.js", 1000, 2, script)]))
    .quicFlows![0]!.streams!.earlyBytes;

test("bytes that are sent while a more urgent response waits are early", () => {
  assert.equal(earlyBytes("u=5, i", "u=1"), 2000, "the packet after the script is not early");
  assert.equal(earlyBytes("u=1", "u=5, i"), 1000, "the script's packet, while the image is not complete");
  assert.equal(earlyBytes("u=2", "u=2"), 0);
});

test("a request without a header has urgency 3, and without any headers nothing is counted", () => {
  assert.equal(earlyBytes("u=5"), 2000);
  assert.equal(earlyBytes("i"), 0);
  assert.equal(earlyBytes(), undefined);
  assert.deepEqual(
    ["u=0", "i, u=6", "i", "u=9", "xu=1"].map((priority) => urgencyOf({ priority })),
    [0, 6, 3, 3, 3],
  );
});
