import assert from "node:assert/strict";
import { test } from "node:test";
import type { LinkEvidence, PacketEvidence } from "../../../schema/evidence.ts";
import { packetsGone } from "./conservation.ts";

interface Seen {
  /** How many packets were in the shaper; 1,000 were sent. */
  shaped: number;
  copies?: number;
  duplicatePercent?: number;
}

function problemsOf({ shaped, copies, duplicatePercent }: Seen): string {
  const exactly = (count: number) => ({ atLeast: count, atMost: count });
  const way = {
    ...{ sentPackets: exactly(1000), shapedPackets: shaped, forwardedPackets: shaped, arrivedPackets: exactly(shaped) },
    ...(copies !== undefined && { copies }),
  };
  const packets = { path: { down: way, up: way }, largestFrameBytes: 1514, missedFrames: 0, foreign: [] };
  const atStart = duplicatePercent === undefined ? {} : { duplicatePercent };
  const link = { down: { atStart }, up: { atStart } } as unknown as LinkEvidence;
  return packetsGone(packets as unknown as PacketEvidence, link).join("; ");
}

test("on a link that duplicates 1% of 1,000 packets, 12 extra packets are accepted, and 60 are reported", () => {
  assert.equal(problemsOf({ shaped: 1000 }), "");
  assert.equal(problemsOf({ shaped: 1012, copies: 12, duplicatePercent: 1 }), "");
  assert.match(
    problemsOf({ shaped: 1060, copies: 12, duplicatePercent: 1 }),
    /down: 1060 packets in the shaper, 1000 sent/,
  );
});

test("extra packets on a link that does not duplicate, and copies that the shaper did not make, are reported", () => {
  assert.match(problemsOf({ shaped: 1001 }), /down: 1001 packets in the shaper, 1000 sent/);
  assert.match(
    problemsOf({ shaped: 1005, copies: 12, duplicatePercent: 1 }),
    /down: 12 copies arrived, but only 1005 packets were in the shaper/,
  );
});
