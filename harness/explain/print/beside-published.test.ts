import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "../../../schema/plan.ts";
import type { Published } from "../../plan/published.ts";
import { partNames, partsOf } from "../parts.ts";
import { speedupSum, speedupsBesidePublished } from "./beside-published.ts";
import type { ExplainedCondition, ExplainedSpeedup } from "./summary.ts";

const side = (pageLoadMs: number, floorMs: number | null): ExplainedCondition => ({
  condition: { id: "made up" } as Condition,
  loads: 1,
  pageLoadMs,
  floorMs,
  parts: partsOf(() => 0),
});

/** The baseline's part "waiting" is 1,200 ms longer than the option's, and its part "window" 200 ms shorter. */
const speedup = (servers: number, floorMs: number | null = 500): ExplainedSpeedup => ({
  comparison: "1",
  title: "made up",
  scenario: { page: "A", servers },
  base: side(2000, 1500),
  option: side(1000, floorMs),
  savedMs: 1000,
  parts: partsOf((part) => ({ waiting: 1200, window: -200 })[part as string] ?? 0),
});
const grid = { id: "5", title: "", comparison: "1", rows: "page", columns: "servers" };
const summary = { id: "11", title: "", summary: ["1"] as [string], notation: ["page", "servers"] };
const published = {
  source: "a paper",
  tables: { "5": { A: { "1": { max: 4, mean: 2.1, min: 1 }, "2": { max: 4, mean: 4, min: 1 } } } },
  summaries: { "11": { "1": { best: { speedup: 3, condition: "(A,2)" }, worst: { speedup: 1, condition: "(A,x)" } } } },
} as unknown as Published;
const scenarios = (...of: ExplainedSpeedup[]) => new Map([["1", of.map(({ scenario }) => scenario)]]);

test("a speedup is 1 plus each part's saving as a share of the option's time; speedups that differ most from published ones come first", () => {
  const speedups = [speedup(1), speedup(2)];
  const beside = speedupsBesidePublished(speedups, [grid, summary], published, scenarios(...speedups));
  assert.deepEqual(
    beside.map(({ table, where, ours, published: theirs, most }) => [table, where, ours, theirs, most]),
    [
      ["5", "Page A, 2 servers, mean", 2, 4, 4],
      ["11", "Comparison 1, best (A,2)", 2, 3, 4],
      ["5", "Page A, 1 server, mean", 2, 2.1, 4],
    ],
  );
  for (const { ours, parts } of beside) {
    const sum = partNames.reduce((all, part) => all + parts[part], 1);
    assert.ok(Math.abs(sum - ours) < 1e-9, `the parts add up to ${sum}, the speedup is ${ours}`);
    assert.equal(speedupSum(parts), "1 + waiting 1.20 − window 0.20");
  }
});

test("a published mean is compared only with a mean over the same scenarios; if the option has no floor, the largest possible speedup is unknown", () => {
  const beside = speedupsBesidePublished([speedup(2, null)], [grid], published, scenarios(speedup(2), speedup(4)));
  assert.deepEqual(
    beside.map(({ where, most }) => [where, most]),
    [["Page A, 2 servers, mean", null]],
  );
  const other = { ...speedup(2), scenario: { page: "A", servers: 2, loss: 1 } };
  assert.deepEqual(speedupsBesidePublished([speedup(2)], [grid], published, scenarios(speedup(2), other)), []);
});
