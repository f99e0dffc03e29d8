import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "../../test/faults/registry.ts";
import { conditionOf } from "../plan/conditions.ts";
import { judgeLoad } from "./load.ts";
import { paintProblems } from "./paint.ts";
import { asked, good, judge, notObservableAlways, processor, registries } from "./sample-load.ts";

test("a load that is a sample of its condition contradicts nothing, and every axis holds that can be seen", () =>
  assert.deepEqual(judge(), { contradictions: [], inconclusive: {}, notObservable: notObservableAlways, flags: [] }));

test("a page that was slowed down says by how much, and one that was not says nothing", () => {
  const slowed = (slowedMs: number) => ({ slowdown: { slowedMs, plainMs: 10 } });
  assert.deepEqual(judge(slowed(41), { cpu: 4 }).contradictions, []);
  assert.deepEqual(judge(slowed(20), { cpu: 4 }).contradictions, [
    "the page computed 2.00 times slower, 4 times was asked for",
  ]);
  assert.deepEqual(judge({}, { cpu: 4 }).contradictions, ["nothing says how much slower the page was"]);
  assert.match(judge(slowed(41)).contradictions.join(), /the page was slowed down/);
});

test("what was painted may be told by a frame's painting or by its presentation, and by a browser alone", () => {
  const paint = { firstContentfulMs: 448, largestContentfulMs: 360 };
  assert.deepEqual(judge({ paint }).contradictions, []);
  assert.deepEqual(paintProblems({ ...good, paint }, 1000, { connections: 6, pipelines: false }), [
    "a client that shows nothing says when it painted",
  ]);
});

for (const { what, inEvidence, message, notInSample } of faults)
  if (inEvidence && !notInSample)
    test(`is named: ${what}`, () => {
      const evidence = structuredClone(good);
      inEvidence(evidence);
      assert.match(judge(evidence).contradictions.join("\n"), message);
    });

test("is named: a time no network can do, and one the browser did not say", () => {
  const { contradictions } = judge({}, {}, 322);
  assert.match(contradictions.join(), /322 ms is less than physics allows: 324 ms/);
  assert.match(contradictions.join(), /its page load time is 322 ms, the browser's timing says 800/);
});

test("is flagged: a load that the processor limits", () =>
  assert.match(judge({ processor: { ...processor, labMs: 1950 } }).flags.join(), /CPU-bound: 100% of 2 cores/));

test("a browser uses the processor; a client that only fetches may use less than a tick of it", () => {
  const idle = { processor: { ...processor, labMs: 0 } };
  assert.match(judge(idle).contradictions.join(), /the lab used no processor/);
  const fetching = { ...registries.clients.chromium!, replays: { connections: 1, pipelines: false } };
  const judged = judgeLoad(800, { ...good, ...idle }, conditionOf(asked, registries), {
    ...registries,
    clients: { chromium: fetching },
  });
  assert.doesNotMatch(judged.contradictions.join(), /used no processor/);
});
