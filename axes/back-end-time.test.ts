import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./back-end-time.axis.ts";

const registries = {
  protocols: { h1c: { scheme: "http" }, h1: { scheme: "https" } },
  defaults: { backEndTime: 0 },
} as unknown as Registries;

interface Given {
  initcwnd?: number;
  protocol?: string;
  handshakeMs?: number | null;
  retransmittedSegments?: number;
  /** The number of packets that jitter reordered. If it is 0, the link's jitter does not reorder packets. */
  reordered?: number;
}
const proof = (
  ms: number,
  firstBurstToRestMs: number | undefined,
  { initcwnd = 10, protocol = "h1c", handshakeMs = 100, retransmittedSegments = 0, reordered = 0 }: Given = {},
) => {
  const server = {
    sentSegments: 7,
    retransmittedSegments,
    ...(firstBurstToRestMs !== undefined && { firstBurstToRestMs }),
  };
  const link = { lostPackets: retransmittedSegments + Number(handshakeMs === null), queueDroppedPackets: 0 };
  const evidence = {
    packets: {
      path: { down: { transit: { reordered } }, up: { transit: { reordered } } },
      flows: [{ host: "s1.lab", clientPort: 4000, handshakeMs, server }],
    },
    link: { down: link, up: link },
  } as unknown as Evidence;
  const reorder = reordered > 0 ? "on" : "off";
  const all = { protocol, initcwnd, initrwnd: 44, rtt: 100, down: 10, up: 1, reorder } as ConditionValues;
  return axis.proves(ms, all, evidence, registries);
};

test("a back-end time is confirmed by an equally long wait after a response's first burst, and contradicted by any other wait", () => {
  assert.equal(proof(200, 200.2), "confirmed");
  assert.equal(proof(0, 0.3), "confirmed");
  assert.match(
    JSON.stringify(proof(200, 0.3)),
    /its server sent the rest 0\.3 ms after the first burst; 200 ms is configured/,
  );
  assert.match(JSON.stringify(proof(0, 200)), /sent the rest 200\.0 ms after the first burst; 0 ms is configured/);
});

test("with an initial window of 3 segments, a wait longer than the back-end time does not contradict it: the rest of a response may wait for an ACK", () => {
  assert.equal(proof(200, 500, { initcwnd: 3 }), "confirmed");
  assert.match(
    JSON.stringify(proof(0, 100, { initcwnd: 3 })),
    /notObservable.*may wait until the first burst is acknowledged/,
  );
  assert.match(JSON.stringify(proof(0, 100, { initcwnd: 3, retransmittedSegments: 1 })), /notObservable/);
  assert.match(JSON.stringify(proof(200, 100, { initcwnd: 3 })), /contradicts/);
});

test("the back-end time is not observable if the whole response fits into the first burst, and inconclusive after a retransmission", () => {
  assert.match(JSON.stringify(proof(200, undefined)), /notObservable/);
  assert.match(JSON.stringify(proof(200, 600, { retransmittedSegments: 1 })), /inconclusive/);
});

test("a retransmitted handshake packet makes the back-end time inconclusive, because the rest of the response then waits for an ACK", () => {
  assert.match(JSON.stringify(proof(0, 200.2, { handshakeMs: null })), /inconclusive/);
  assert.match(JSON.stringify(proof(0, 200.2, { handshakeMs: 200 })), /contradicts/);
});

test("over TLS a back-end time of 200 ms is refused, and a back-end time of 0 is not observable", () => {
  const why = (ms: number, protocol: string) => axis.refuses!(ms, { protocol } as ConditionValues, registries);
  assert.match(why(200, "h1")!, /over h1 responses are encrypted/);
  assert.equal(why(0, "h1"), null);
  assert.equal(why(200, "h1c"), null);
  assert.match(JSON.stringify(proof(0, 0.3, { protocol: "h1" })), /over TLS/);
});

test("a retransmission makes the back-end time inconclusive after a loss, but not observable if jitter reordered packets", () => {
  assert.match(JSON.stringify(proof(200, 300, { retransmittedSegments: 1 })), /inconclusive/);
  assert.match(JSON.stringify(proof(200, 300, { retransmittedSegments: 1, reordered: 2 })), /notObservable.*reordered/);
  assert.equal(proof(200, 200.2, { reordered: 2 }), "confirmed");
});
