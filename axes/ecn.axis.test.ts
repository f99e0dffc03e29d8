import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence, FlowEvidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./ecn.axis.ts";

interface Seen {
  agreed: boolean;
  marked?: number;
  /** Whether fq_codel marks packets, as the kernel reports it. */
  marks?: true;
  handshakeMs?: number | null;
}

function verdict(ecn: "on" | "off", aqm: string, { agreed, marked = 0, marks, handshakeMs = 50 }: Seen): string {
  const flow = {
    ...{ host: "s1.lab", clientPort: 1, handshakeMs },
    ...(agreed && { ecn: true }),
    server: { sentSegments: 9 },
  } as unknown as FlowEvidence;
  const kernel = { atStart: { ecn: marks }, atEnd: { ecn: marks }, lostPackets: 0, queueDroppedPackets: 0 };
  const path = { down: { ecn: { capable: 9, marked } }, up: {} };
  const evidence = { link: { down: kernel, up: kernel }, packets: { path, flows: [flow] } } as unknown as Evidence;
  const found = axis.proves(ecn, { aqm } as ConditionValues, evidence, {} as Registries);
  return typeof found === "object" ? Object.values(found).flat().join("; ") : found;
}

test("ECN is confirmed by the flags of SYN and SYN/ACK, and with fq_codel also by the kernel's report", () => {
  assert.equal(verdict("on", "fq_codel", { agreed: true, marked: 3, marks: true }), "confirmed");
  assert.equal(verdict("on", "cake", { agreed: true, marked: 3 }), "confirmed");
  assert.equal(verdict("off", "cake", { agreed: false }), "confirmed");
});

test("ECN is contradicted by wrong flags in SYN and SYN/ACK, by a kernel that reports fq_codel without ECN, and, if ECN is off, by marked packets", () => {
  assert.match(verdict("off", "cake", { agreed: true }), /connection 1 to s1\.lab: SYN and SYN\/ACK agreed on ECN/);
  assert.match(verdict("on", "cake", { agreed: false }), /did not agree on ECN/);
  assert.match(verdict("on", "fq_codel", { agreed: true }), /down ecn none instead of true/);
  assert.match(verdict("off", "cake", { agreed: false, marked: 2 }), /2 packets came with a mark/);
});

test("a handshake with a retransmission does not show ECN, because Linux retries without ECN", () =>
  assert.match(verdict("on", "cake", { agreed: false, handshakeMs: null }), /no handshake was fully captured/));
