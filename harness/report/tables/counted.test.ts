import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlatCondition } from "../../../schema/model.ts";
import { countLoads } from "./counted.ts";
import { conditions, failedLoad, okLoad } from "./synthetic-loads.ts";

const planned = conditions({});
const [h1, h2] = planned as [FlatCondition, FlatCondition];

test("a second try makes up for a failed first one; the failure is counted", () => {
  const { samples, counts } = countLoads(
    [failedLoad(h1), okLoad(h1, 500, { attempt: 2 }), okLoad(h2, 400)],
    2,
    planned,
  );
  assert.deepEqual(
    samples.map(({ byBlock }) => [...byBlock]),
    [[[1, 500]], [[1, 400]]],
  );
  assert.deepEqual(counts, { blocks: 1, loads: 2, plannedLoads: 4, failed: 1, repeated: 0, unplanned: 0, flagged: 0 });
});

test("of two successes in a block the first try counts, wherever its line stands", () => {
  const { samples, counts } = countLoads([okLoad(h1, 1, { attempt: 2 }), okLoad(h1, 500)], 1, planned);
  assert.deepEqual([...samples[0]!.byBlock], [[1, 500]]);
  assert.deepEqual([counts.loads, counts.repeated], [1, 1]);
});

test("a block where every try failed has no load", () => {
  const loads = [failedLoad(h1), failedLoad(h1, { attempt: 2 }), okLoad(h1, 500, { block: 2 })];
  const { samples, counts } = countLoads(loads, 2, planned);
  assert.deepEqual([...samples[0]!.byBlock], [[2, 500]]);
  assert.deepEqual([counts.blocks, counts.loads, counts.failed], [1, 1, 2]);
});

test("without a plan the conditions are those of the loads, in natural order", () => {
  const shuffled = conditions({ page: ["B", "A"], servers: [10, 2] }).reverse();
  const { samples } = countLoads(
    shuffled.map((condition) => okLoad(condition, 1)),
    1,
  );
  const order = samples.map(({ condition }) => `${condition.page}${condition.servers}`);
  assert.deepEqual([...new Set(order)], ["A2", "A10", "B2", "B10"]);
});

test("with a plan, conditions without a load are known and foreign loads are left out", () => {
  const foreign = conditions({ page: ["Z"] })[0]!;
  const { samples, counts } = countLoads([okLoad(foreign, 1)], 20, planned);
  assert.equal(samples.length, 2);
  assert.deepEqual([counts.loads, counts.plannedLoads, counts.unplanned], [0, 40, 1]);
});
