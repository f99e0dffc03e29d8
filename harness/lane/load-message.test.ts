import assert from "node:assert/strict";
import { test } from "node:test";
import { loadMessage, type MadeLoad } from "./load-message.ts";

const common = { condition: "x", block: 1, attempt: 1, lane: 0, startedAt: "2026-01-01T00:00:00.000Z", wallMs: 5 };
const evidence = { timing: { loadEventStart: 700 } } as unknown as MadeLoad["evidence"];
const trace = { origin: 0 } as unknown as NonNullable<MadeLoad["trace"]>;
const made = { problem: null, evidence, trace };
const agrees = () => [];

test("a load whose evidence agrees with its condition counts, with its time and its trace", () => {
  assert.deepEqual(loadMessage(common, made, agrees), {
    kind: "load",
    load: { ...common, ok: true, pageLoadMs: 700, evidence },
    trace,
  });
});

test("a load that counts but has no trace has no such field", () =>
  assert.ok(!("trace" in loadMessage(common, { ...made, trace: null }, agrees))));

for (const [what, broken, judge, reason] of [
  ["the client reports a problem", { ...made, problem: "timeout" }, agrees, "timeout"],
  [
    "the page has no load event",
    { ...made, evidence: { timing: {} } as unknown as MadeLoad["evidence"] },
    agrees,
    "the page has no load event",
  ],
  ["the evidence contradicts the condition", made, () => ["rtt: 90", "loss: 2%"], "evidence: rtt: 90; loss: 2%"],
] as const)
  test(`a load does not count if ${what}: it keeps its evidence and has the reason, without time or trace`, () =>
    assert.deepEqual(loadMessage(common, broken, judge as () => string[]), {
      kind: "load",
      load: { ...common, ok: false, reason, evidence: broken.evidence },
    }));

test("the time that is judged is the browser's own of the load event", () => {
  const judged: number[] = [];
  loadMessage(common, made, (pageLoadMs) => {
    judged.push(pageLoadMs);
    return [];
  });
  assert.deepEqual(judged, [700]);
});
