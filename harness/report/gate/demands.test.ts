import assert from "node:assert/strict";
import { test } from "node:test";
import { demandsOn } from "./demands.ts";
import { gateMeasureNames } from "./measures.ts";
import type { Medians } from "./sides.ts";

const before: Medians = {
  ...(Object.fromEntries(gateMeasureNames.map((name) => [name, null])) as Medians),
  ...{ pageLoad: 1000, firstContentfulPaint: 400, largestContentfulPaint: null },
  ...{ requests: 20, bytes: 500_000, connections: 1 },
};
const rules = { threshold: 0.02, budgets: [] };
const demands = (after: Partial<Medians>, differences: Parameters<typeof demandsOn>[0]["differences"] = {}) =>
  demandsOn({ link: "Cable", before, after: { ...before, ...after }, differences }, rules);
const metOf = (...given: Parameters<typeof demands>) => demands(...given).map(({ met }) => met);

test("an interval that reaches below what is allowed may be chance; of a paint a frame is allowed", () => {
  const difference = (low: number) => ({ share: 0.05, low, high: 0.08 });
  const both = (low: number) => ({ pageLoad: difference(low), firstContentfulPaint: difference(low) });
  assert.deepEqual(metOf({}, both(0.02)), [true, true]);
  assert.deepEqual(metOf({}, both(0.021)), [false, true]);
  assert.deepEqual(metOf({}, both(0.06)), [false, false]);
  assert.match(demands({}, both(0.06))[1]!.demand, /^first contentful paint at most 5\.2% longer than before$/);
});

test("a page that paints nothing any more is not met; what it never painted is not demanded", () => {
  assert.deepEqual(metOf({ firstContentfulPaint: null }), [true, false]);
  assert.equal(demands({ firstContentfulPaint: null })[1]!.measured, "none");
});
