/** Which attempts show something about the page's load time although their lanes recorded them as failed. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Evidence, QuicFlowEvidence, WindowBounds } from "../../../schema/evidence.ts";
import { type Cause, causeSchema } from "../../../schema/failure.ts";
import { loadSchema } from "../../../schema/records.ts";
import { conditionOf } from "../../plan/conditions.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import { readRun } from "../../record/records.ts";
import { observedBy } from "./observed.ts";
import { asked, flow, good, link, registries, withFlows } from "./sample-load.fixture.ts";

const condition = conditionOf(asked, registries);
const observed = (cause: Cause, change: Partial<Evidence> = {}) =>
  observedBy(
    {
      ...{ condition: condition.id, block: 1, attempt: 1, lane: 0, startedAt: "2026-01-01T00:00:00Z", wallMs: 900 },
      ...{ ok: false, reason: "it has none", cause, evidence: { ...good, ...change } },
    },
    condition,
    { registries },
  );
const quicFlow = { host: "s1.lab", handshakeMs: 101 } as QuicFlowEvidence;
const lossy = { link: { ...link, down: { ...link.down, queueDroppedPackets: 1, queuedPackets: 1 } } };
const shaken = (handshakeMs: number | null) =>
  withFlows(...["s1.lab", "s2.lab"].map((host) => ({ ...flow(host), handshakeMs })));

test("a refused load with lost packets shows the load time even if its quickest handshake was late", () => {
  assert.equal(observed("evidence", { ...lossy, ...shaken(108) }), "time");
  assert.equal(observed("evidence", shaken(108)), null);
  assert.equal(
    observed("evidence", { ...lossy, ...shaken(90) }),
    null,
    "no loss makes a handshake quicker than the RTT",
  );
});

/** Observes a load with initcwnd 10. The first flights of its two connections show these bounds of their windows. */
const windowed = (first: WindowBounds, second = first) =>
  observed("evidence", withFlows(flow("s1.lab", { initcwnd: first }), flow("s2.lab", { initcwnd: second })));

test("a refused load shows the load time even if no server had enough data to fill its window", () => {
  assert.equal(windowed({ atLeast: 9, atMost: null }), "time");
  assert.equal(windowed({ atLeast: 11, atMost: null }), null, "a server sent more than its window");
  assert.equal(windowed({ atLeast: 1, atMost: null }), null, "the captures show almost no data");
});

test("if one connection's bounds of initcwnd contradict each other, the load's other connections decide whether it shows a time", () => {
  const impossible = { atLeast: 11, atMost: 10 };
  assert.equal(windowed({ atLeast: 10, atMost: 10 }, impossible), "time");
  assert.equal(windowed({ atLeast: 16, atMost: 16 }, impossible), null);
  assert.equal(windowed(impossible), null);
});

test("a refused load shows the load time even if several small segments were retransmitted as one larger segment", () => {
  const { manifest } = readRun("today/h1-h2-h3");
  const conditions = new Map(conditionsOfRun(manifest).map((one) => [one.id, one]));
  // These loads are from an earlier run of the same conditions, in which the rules of that time refused them.
  const refused = readFileSync(`${import.meta.dirname}/small-segments.fixture.jsonl`, "utf8")
    .trim()
    .split("\n");
  const results = refused.map((line) => {
    const load = loadSchema.parse(JSON.parse(line));
    assert.ok(!load.ok && /packets were lost on the way down, but only/.test(load.reason));
    return observedBy(load, conditions.get(load.condition), { registries: manifest.registries });
  });
  assert.deepEqual(results, ["time", "time"]);
});

/** The part of the evidence that is changed for a load without a load event. */
const endless: Partial<Evidence> = { timing: {} };

test("a load that timed out shows that the page takes longer than the time-out, if link, servers and client worked", () => {
  assert.equal(observed("time-out", endless), "longer");
  assert.equal(observed("time-out", { ...endless, ended: ["nginx"] }), null);
  assert.equal(observed("time-out", { ...endless, link: { ...link, down: { ...link.down, sentPackets: 0 } } }), null);
  const without = { ...good.packets, flows: [] };
  assert.equal(observed("time-out", { ...endless, packets: without }), null, "no connection was captured");
  const overQuic = { ...endless, packets: { ...without, quicFlows: [quicFlow] } };
  assert.equal(observed("time-out", overQuic), "longer", "over HTTP/3");
});

test("a load that timed out shows nothing if the link, other programs or the lab disturbed it", () => {
  const { processor, packets } = good;
  const { down } = link;
  const jitter = { ...link, down: { ...down, atStart: { ...down.atStart, jitterMs: 500 } } };
  assert.equal(observed("time-out", { ...endless, link: jitter }), null, "jitter that is not configured");
  const busy = { ...processor, otherMs: processor.elapsedMs };
  assert.equal(observed("time-out", { ...endless, processor: busy }), null, "a busy machine");
  assert.equal(observed("time-out", { ...endless, packets: { ...packets, missedFrames: 7 } }), null);
  assert.equal(observed("time-out", { ...endless, metricsSaved: ["harness"] }), null);
});

test("if the transfer of the document broke and a request failed, the load shows that the page takes longer than the time-out", () => {
  assert.equal(observed("transfer broken", { ...endless, failed: 1 }), "longer");
  assert.equal(observed("transfer broken", endless), null, "no request failed");
});

test("a load with a load event does not count as longer than the time-out, whatever else failed", () => {
  const outside = { failed: 1, unanswered: [{ url: "https://elsewhere.example/", why: "net::ERR_NAME_NOT_RESOLVED" }] };
  const late = { ...outside, ...shaken(108) };
  for (const cause of ["evidence", "time-out", "transfer broken"] as const)
    assert.equal(observed(cause, late), null, `${cause}: the load is refused because of its evidence, and repeated`);
  assert.equal(observed("after loading", { ...endless, ...outside }), null);
});

test("an attempt's recorded cause has no effect if its evidence does not show this cause", () => {
  for (const cause of causeSchema.options.filter((one) => one !== "time-out"))
    assert.equal(observed(cause, endless), null, cause);
  for (const cause of causeSchema.options.filter((one) => one !== "evidence"))
    assert.equal(observed(cause), null, `${cause}: a load with this cause was not refused`);
});
