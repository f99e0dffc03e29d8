import assert from "node:assert/strict";
import { test } from "node:test";
import { type Noise, noises } from "./made-up-searches.ts";
import { simulateSearches } from "./simulated-searches.ts";

const all = Object.keys(noises) as Noise[];
const few = { searches: 40, finalBlocks: 10 };

for (const page of ["spread", "ties"] as const)
  test(`95% of searches name the best change first or tied, and in 93% all intervals contain the truth: page "${page}"`, async () => {
    for (const noise of all) {
      const { bestIsNamed, allHold } = await simulateSearches({ page, noise, ...few });
      assert.ok(bestIsNamed >= 0.95 && allHold >= 0.93, `${noise}: ${bestIsNamed}, ${allHold}`);
    }
  });

for (const page of ["nothing", "no effect"] as const)
  test(`95% of searches recommend no change for a page that no change makes 2% faster: page "${page}"`, async () => {
    for (const noise of all) {
      const { saysNothing, allHold } = await simulateSearches({ page, noise, ...few });
      assert.ok(saysNothing >= 0.95 && allHold >= 0.93, `${noise}: ${saysNothing}, ${allHold}`);
    }
  });

test("if many changes are nearly as good as the best one, 95% of searches name the best one or print that it is not ruled out", async () => {
  for (const noise of all) {
    const { bestIsNotExcluded } = await simulateSearches({ page: "close", noise, ...few });
    assert.ok(bestIsNotExcluded >= 0.95, `${noise}: ${bestIsNotExcluded}`);
  }
});
