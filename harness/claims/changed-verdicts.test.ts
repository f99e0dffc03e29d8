/** Compares the verdicts of two runs of an experiment. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Claim } from "../plan/claims.ts";
import { countLoads } from "../tables/counted.ts";
import { run } from "../tables/synthetic-loads.fixture.ts";
import { comparedVerdicts } from "./changed-verdicts.ts";
import { claim, leaf, measured, planned } from "./measured.fixture.ts";
import type { MeasuredRun } from "./measured-run.ts";

test("equal verdicts of two runs are counted, each different verdict is a row, and claims that a run did not measure are left out", () => {
  /** In the other run, HTTP/2 is slower on Page A, its effect on Page C is uncertain, and Page B was not measured. */
  const others = run(planned, 6, ({ protocol, page }, block) =>
    protocol !== "h2" ? 1000 : page === "A" ? 1500 : page === "C" ? 1000 + 100 * (block % 2 ? 1 : -1) : 2000,
  ).filter(({ condition }) => !condition.startsWith("B/"));
  const { samples: theirs } = countLoads(others, {
    conditions: planned,
    loadsPerCondition: 6,
    metric: "pageLoadMs",
  });
  const other: MeasuredRun = { ...measured, samplesOf: () => theirs };
  const ofPage = (page: string, holds: string): Claim => ({
    ...claim(holds),
    says: `Page ${page}`,
    quantity: leaf({ where: { page: [page] } }),
  });
  const claims = {
    a: ofPage("A", "above 1"),
    same: ofPage("A", "from 0 to 9"),
    b: ofPage("B", "below 1"),
    c: ofPage("C", "from 0.99 to 1.01"),
    named: { ...ofPage("A", "above 1"), quantity: { ...leaf({}), run: "block" } },
  };
  const text = comparedVerdicts({ experiment: "x", claims }, measured, other);
  assert.match(text, /^Verdicts that are the same in both runs: 1; opposite: 1; decided by only one of the runs: 1\./);
  assert.match(text, /\| Page A \| this lab \| above 1 \| 2 \| holds \| 0\.67 \| does not hold \|/);
  assert.match(text, /\| Page C \| this lab \| from 0\.99 to 1\.01 \| 1 \| holds \| .* \| cannot tell \|$/);
  assert.doesNotMatch(text, /Page B/);
});
