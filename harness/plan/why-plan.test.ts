import assert from "node:assert/strict";
import { test } from "node:test";
import { removedSets, whyPlanSchema } from "./why-plan.ts";

const causes = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `cause ${i}`, removed: { loss: 0 }, from: [0, 1] }));
const plan = (count: number, quick?: true) => ({
  compared: "protocol",
  sides: ["h1", "h2"],
  fixed: { page: "A" },
  causes: causes(count),
  notRemoved: [],
  ...(quick && { quick }),
});

test("a plan with no causes, or with more causes than the limit, is refused", () => {
  for (const allowed of [plan(1), plan(5), plan(11, true)]) assert.ok(whyPlanSchema.safeParse(allowed).success);
  for (const refused of [plan(0), plan(6), plan(30), plan(30, true)]) {
    const { error } = whyPlanSchema.safeParse(refused);
    assert.match(error!.issues[0]!.message, /from 1 to 5 causes are allowed, and up to 20 in a quick run/);
  }
});

test("a plan removes all combinations of causes; a quick run removes none, each cause alone, all causes but one, and all", () => {
  assert.deepEqual(removedSets({ causes: plan(2).causes as never }), [0, 1, 2, 3]);
  assert.deepEqual(removedSets({ causes: plan(4).causes as never, quick: true }), [0, 1, 2, 4, 8, 14, 13, 11, 7, 15]);
});
