import assert from "node:assert/strict";
import { test } from "node:test";
import { type Noise, noises } from "./made-up-searches.ts";
import { simulateSearches } from "./simulated-searches.ts";

const all = Object.keys(noises) as Noise[];
const few = { searches: 40, finalBlocks: 10 };

for (const page of ["spread", "ties"] as const)
  test(`the best change is named or tied in 95% of searches, and all intervals hold together in 93%: ${page}`, async () => {
    for (const noise of all) {
      const { bestIsNamed, allHold } = await simulateSearches({ page, noise, ...few });
      assert.ok(bestIsNamed >= 0.95 && allHold >= 0.93, `${noise}: ${bestIsNamed}, ${allHold}`);
    }
  });

for (const page of ["nothing", "no effect"] as const)
  test(`in 95% of searches no change is recommended for a page that no change makes 2% faster: ${page}`, async () => {
    for (const noise of all) {
      const { saysNothing, allHold } = await simulateSearches({ page, noise, ...few });
      assert.ok(saysNothing >= 0.95 && allHold >= 0.93, `${noise}: ${saysNothing}, ${allHold}`);
    }
  });

test("if many changes are nearly as good as the best one, it is named, tied or said to be not ruled out, in 95% of searches", async () => {
  for (const noise of all) {
    const { bestIsNotExcluded } = await simulateSearches({ page: "close", noise, ...few });
    assert.ok(bestIsNotExcluded >= 0.95, `${noise}: ${bestIsNotExcluded}`);
  }
});
