import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../../schema/evidence.ts";
import { segmentProblems } from "./segments.ts";

/** Judges a load with a used and an unused connection. @param unused how many segments the server sent for the unused connection's handshake */
function problemsOf({ handshakeBytes, unused }: { handshakeBytes: number; unused: number }): string {
  const flow = (clientPort: number, sentSegments: number, bytes: number | null) => ({
    ...{ host: "s1.lab", clientPort },
    server: { sentSegments, retransmittedSegments: 0, firstFlightSegments: 1, handshakeBytes: bytes, initcwnd: null },
  });
  const evidence = {
    connections: [{ host: "s1.lab", id: 1, requests: [] }],
    link: { down: { lostPackets: 0, queueDroppedPackets: 0 } },
    packets: {
      flows: [flow(1, 100, handshakeBytes), flow(2, unused, null)],
      path: { down: { sentPackets: { atMost: 200 } } },
      largestFrameBytes: 1514,
    },
  };
  return segmentProblems(evidence as unknown as Evidence).join("; ");
}

test("an unused connection may carry 8 segments, and more if certificates make the handshake longer", () => {
  assert.equal(problemsOf({ handshakeBytes: 1000, unused: 8 }), "");
  assert.match(problemsOf({ handshakeBytes: 1000, unused: 9 }), /used 1 connections to s1\.lab, but data came over 2/);
  assert.equal(problemsOf({ handshakeBytes: 20_700, unused: 22 }), "");
  assert.match(problemsOf({ handshakeBytes: 20_700, unused: 23 }), /but data came over 2/);
});
