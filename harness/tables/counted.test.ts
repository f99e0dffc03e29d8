import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "../../schema/plan.ts";
import { boundedValue } from "../statistics/estimate.ts";
import { resampleBlocks } from "../statistics/resample.ts";
import { parseStatistic } from "../statistics/statistic.ts";
import { type CountedLoad, countLoads as count, valuesIn } from "./counted.ts";
import { conditions, failedLoad, okLoad } from "./synthetic-loads.fixture.ts";

const planned = conditions({});
const countLoads = (loads: CountedLoad[], loadsPerCondition: number) =>
  count(loads, { conditions: planned, loadsPerCondition, metric: "pageLoadMs" });
const [h1, h2] = planned as [Condition, Condition];

test("a second attempt replaces a failed first attempt; the failure is counted", () => {
  const { samples, counts } = countLoads([failedLoad(h1), okLoad(h1, 500, { attempt: 2 }), okLoad(h2, 400)], 2);
  assert.deepEqual(
    samples.map(({ byBlock }) => [...byBlock]),
    [[[1, 500]], [[1, 400]]],
  );
  assert.deepEqual(counts, {
    blocks: 1,
    loads: 2,
    unfinished: 0,
    censored: 0,
    plannedLoads: 4,
    failed: 1,
    unmeasured: 0,
    repeated: 0,
    unplanned: 0,
    flagged: 0,
  });
});

test("if two attempts at a load succeeded, the first attempt counts, even if its line comes after the second attempt's line", () => {
  const { samples, counts } = countLoads([okLoad(h1, 1, { attempt: 2 }), okLoad(h1, 500)], 1);
  assert.deepEqual([...samples[0]!.byBlock], [[1, 500]]);
  assert.deepEqual([counts.loads, counts.repeated], [1, 1]);
});

test("a block in which every attempt failed has no load that counts", () => {
  const loads = [failedLoad(h1), failedLoad(h1, { attempt: 2 }), okLoad(h1, 500, { block: 2 })];
  const { samples, counts } = countLoads(loads, 2);
  assert.deepEqual([...samples[0]!.byBlock], [[2, 500]]);
  assert.deepEqual([counts.blocks, counts.loads, counts.failed], [1, 1, 2]);
});

test("a load that has no value of the metric is not used, and is not counted as a failed attempt", () => {
  const { counts } = count([okLoad(h1, 1)], {
    conditions: planned,
    loadsPerCondition: 1,
    metric: "requestToLastAckMs",
  });
  assert.deepEqual([counts.loads, counts.failed, counts.unmeasured], [0, 0, 1]);
});

test("a load whose last acknowledgment is missing has only a lower bound of requestToLastAckMs, and ranks last", () => {
  const lost = { ...okLoad(h1, 1), atLeast: { requestToLastAckMs: 700 } };
  const shown = { ...okLoad(h1, 1, { block: 2 }), metrics: { requestToLastAckMs: 300 } };
  const { samples, counts } = count([lost, shown], {
    ...{ conditions: planned, loadsPerCondition: 2, metric: "requestToLastAckMs", timeoutMs: 60_000 },
  });
  assert.deepEqual([counts.loads, counts.unmeasured, counts.censored, counts.unfinished], [2, 0, 1, 0]);
  assert.deepEqual(
    [...samples[0]!.byBlock],
    [
      [1, Infinity],
      [2, 300],
    ],
  );
  const estimate = parseStatistic("p95")!.estimate([samples[0]!], resampleBlocks([1, 2], 10));
  assert.deepEqual(boundedValue(estimate, "logarithm"), { value: 680, bound: "at least" });
});

test("if a metric has several values in a load, statistics pool all values, and valuesIn counts values, not loads", () => {
  const loads = [1, 2, 3].map((block) => ({
    ...okLoad(h1, block, { block }),
    each: { pageLoadMs: Array.from({ length: 25 }, (_, i) => (block === 3 ? 1000 : i)) },
  }));
  const [sample, other] = countLoads(loads, 3).samples;
  const estimate = parseStatistic("p95")!.estimate([sample!], resampleBlocks([1, 2, 3], 10));
  assert.deepEqual(boundedValue(estimate, "logarithm"), { value: 1000, bound: null });
  assert.deepEqual([valuesIn([sample!]), valuesIn([other!])], [75, 0]);
  assert.equal(other!.eachByBlock, undefined);
});

test("loads that are marked (invalid or flagged) count as flagged, and so do all loads of a condition that no load confirms", () => {
  const loads = [{ ...okLoad(h1, 1), marked: true }, okLoad(h1, 1, { block: 2 }), okLoad(h2, 1)];
  assert.equal(countLoads(loads, 2).counts.flagged, 1);
  const neverConfirmed = () => new Set([h1.id]);
  const options = { conditions: planned, loadsPerCondition: 2, metric: "pageLoadMs", neverConfirmed };
  assert.deepEqual(
    count(loads, options).samples.map(({ flagged }) => flagged),
    [2, 0],
  );
});

test("planned conditions without loads are included, and loads of unplanned conditions are left out", () => {
  const foreign = conditions({ page: ["Z"] })[0]!;
  const { samples, counts } = countLoads([okLoad(foreign, 1)], 20);
  assert.equal(samples.length, 2);
  assert.deepEqual([counts.loads, counts.plannedLoads, counts.unplanned], [0, 40, 1]);
});

test("for page load time, a load that never ended counts as longer than all others; for another metric, a later attempt that ended replaces it", () => {
  const load = { condition: h1.id, block: 1, marked: false };
  const lines: CountedLoad[] = [
    { ...load, attempt: 1, observed: "longer", metrics: {} },
    { ...load, attempt: 2, observed: "time", metrics: { pageLoadMs: 100, packets: 7 } },
  ];
  const counted = (metric: string) => count(lines, { conditions: [h1], loadsPerCondition: 1, metric, timeoutMs: 9000 });
  const { samples, counts } = counted("pageLoadMs");
  assert.deepEqual([[...samples[0]!.byBlock], counts.unfinished, counts.repeated], [[[1, Infinity]], 1, 1]);
  assert.deepEqual(
    [...counted("packets").samples[0]!.byBlock],
    [[1, 7]],
    "for other metrics, the attempt that ended counts",
  );
});
