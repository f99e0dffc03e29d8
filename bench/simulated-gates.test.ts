import assert from "node:assert/strict";
import { test } from "node:test";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { asked, good, registries } from "../harness/judge/load/sample-load.fixture.ts";
import { conditionOf } from "../harness/plan/conditions.ts";
import type { Drawn, LoadPair } from "./drawn.ts";
import { costsLittle, costsNothing, type Edit, edits, simulateGates } from "./simulated-gates.ts";

/** Conditions with twenty loads each. A condition's load times differ by at most 4%; a load's first paint is at half of its time. */
const conditions = [600, 900, 3000, 5000].map((ms, seed): Drawn => {
  const generator = xoroshiro128plus(seed);
  const pairs = Array.from({ length: 20 }, (_, i): LoadPair => {
    const loadEventStart = ms * (1 + 0.04 * (uniformFloat64(generator) - 0.5));
    const paint = { firstContentfulMs: loadEventStart / 2, largestContentfulMs: loadEventStart };
    const evidence = { ...good, connections: [], timing: { ...good.timing, loadEventStart }, paint };
    const load = { block: i + 1, ended: true, evidence };
    return [load, load];
  });
  return { condition: conditionOf(asked, registries), pairs, areAsMade: false, timeoutMs: 120_000 };
});

const gates = 12; // in three of them, the slowest loads are time-outs
for (const edit of edits.filter((one) => !costsLittle.has(one)))
  test(`simulated gates are ${costsNothing.has(edit) ? "green" : "red"} after the edit "${edit}"`, () => {
    const { passed, undecided, invalid } = simulateGates(conditions, { edit, gates, pairing: false });
    assert.deepEqual(
      { passed, undecided, invalid },
      { passed: costsNothing.has(edit) ? gates : 0, undecided: 0, invalid: 0 },
    );
  });

test("every simulated gate is red after a slowdown of 10%, at least one is red after 5%, and none without a change", () => {
  const redOf = (edit: Edit) => simulateGates(conditions, { edit, gates, pairing: false }).failed;
  assert.deepEqual([redOf("none"), redOf("10% longer")], [0, gates]);
  assert.ok(redOf("5% longer") > 0 && redOf("5% longer") <= gates);
});
