/** What attempts observe that their lanes recorded as failed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../schema/evidence.ts";
import { conditionOf } from "../plan/conditions.ts";
import { observedBy } from "./observed.ts";
import { asked, flow, good, link, registries, withFlows } from "./sample-load.ts";

const condition = conditionOf(asked, registries);
const observed = (reason: string, change: Partial<Evidence> = {}) =>
  observedBy(
    {
      ...{ condition: condition.id, block: 1, attempt: 1, lane: 0, startedAt: "2026-01-01T00:00:00Z", wallMs: 900 },
      ...{ ok: false, reason, evidence: { ...good, ...change } },
    },
    condition,
    registries,
  );
const lossy = { link: { ...link, down: { ...link.down, queueDroppedPackets: 1, queuedPackets: 1 } } };
const shaken = (handshakeMs: number | null) =>
  withFlows(...["s1.lab", "s2.lab"].map((host) => ({ ...flow(host), handshakeMs })));

test("a late quickest handshake is no reason to refuse a load that lost packets", () => {
  const refused = "evidence: the quickest handshake took 108 ms; the RTT is 100 ms";
  assert.equal(observed(refused, { ...lossy, ...shaken(108) }), "time");
  assert.equal(observed(refused, shaken(108)), null);
  assert.equal(observed(refused, { ...lossy, ...shaken(90) }), null, "no loss makes a handshake quicker than the RTT");
});

test("a time-out is an observation where link, servers and client worked", () => {
  const reason = "timeout: not loaded after 9 s";
  assert.equal(observed(reason), "longer");
  assert.equal(observed(reason, { ended: ["nginx"] }), null);
  assert.equal(observed(reason, { link: { ...link, down: { ...link.down, sentPackets: 0 } } }), null);
  assert.equal(observed("the lane died"), null);
});
