import assert from "node:assert/strict";
import { test } from "node:test";
import type { Failure } from "../../schema/failure.ts";
import { loadMessage, type MadeLoad } from "./load-message.ts";

const common = { condition: "x", block: 1, attempt: 1, lane: 0, startedAt: "2026-01-01T00:00:00.000Z", wallMs: 5 };
const evidence = { timing: { loadEventStart: 700 } } as unknown as MadeLoad["evidence"];
const trace = { origin: 0 } as unknown as NonNullable<MadeLoad["trace"]>;
const made = { failure: null, evidence, trace };
const agrees = () => [];

test("if the evidence agrees with the condition, the record is valid and has the load time, and the trace is kept", () => {
  assert.deepEqual(loadMessage(common, made, agrees), {
    kind: "load",
    load: { ...common, ok: true, pageLoadMs: 700, evidence },
    trace,
  });
});

test("the record of a valid load without a trace has no field `trace`", () =>
  assert.ok(!("trace" in loadMessage(common, { ...made, trace: null }, agrees))));

const late: Failure = { cause: "time-out", reason: "timeout" };

for (const [what, broken, judge, failure] of [
  ["the client reports a failure", { ...made, failure: late }, agrees, late],
  [
    "the page has no load event",
    { ...made, evidence: { timing: {} } as unknown as MadeLoad["evidence"] },
    agrees,
    { cause: "after loading", reason: "the page has no load event" },
  ],
  [
    "the evidence contradicts the condition",
    made,
    () => ["rtt: 90", "loss: 2%"],
    { cause: "evidence", reason: "evidence: rtt: 90; loss: 2%" },
  ],
] as const)
  test(`if ${what}, the record has the evidence and the cause, but no load time and no trace`, () =>
    assert.deepEqual(loadMessage(common, broken, judge as () => string[]), {
      kind: "load",
      load: { ...common, ok: false, ...failure, evidence: broken.evidence },
    }));

test("the page load time that is judged is loadEventStart of Navigation Timing", () => {
  const judged: number[] = [];
  loadMessage(common, made, (pageLoadMs) => {
    judged.push(pageLoadMs);
    return [];
  });
  assert.deepEqual(judged, [700]);
});
