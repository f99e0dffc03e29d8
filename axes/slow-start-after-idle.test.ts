import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./slow-start-after-idle.axis.ts";

/** A handshake whose answer was lost, so that the connection seems to have been idle. */
const server = {
  sentSegments: 4,
  retransmittedSegments: 1,
  afterIdle: { idleMs: 800, flightSegments: 1, windowWasFull: false, mostBefore: 1 },
};
const evidence = {
  packets: { flows: [{ host: "s1.lab", clientPort: 40000, server }] },
  link: { down: { lostPackets: 1, queueDroppedPackets: 0 }, up: { lostPackets: 0, queueDroppedPackets: 0 } },
} as unknown as Evidence;

test("after a loss, slow start after idle is inconclusive, or not observable if each request has its own connection", () => {
  const proof = (connections: ConditionValues["connections"]) =>
    Object.keys(axis.proves("on", { connections, initcwnd: 10 } as ConditionValues, evidence, {} as Registries));
  assert.deepEqual(proof("own"), ["inconclusive"]);
  assert.deepEqual(proof("each"), ["notObservable"]);
  assert.deepEqual(proof("in-turn"), ["notObservable"]);
});
