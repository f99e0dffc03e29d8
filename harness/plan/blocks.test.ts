import assert from "node:assert/strict";
import { test } from "node:test";
import { planBlocks, select } from "./blocks.ts";
import { conditionsOf, readExperiment } from "./experiment.ts";

const experiment = readExperiment("spdy-initcwnd");
const conditions = conditionsOf(experiment);
const ids = (block: number, blocks = 3, seed = 1) =>
  planBlocks(conditions, blocks, seed)
    .filter((load) => load.block === block)
    .map(({ condition }) => condition.id);

test("spdy-initcwnd has the paper's 288 conditions, 20 loads each", () => {
  assert.equal(conditions.length, 288);
  assert.equal(new Set(conditions.map(({ id }) => id)).size, 288);
  assert.equal(planBlocks(conditions, experiment.loads, 1).length, 5760);
});

test("every block holds every condition once, in an order of its own", () => {
  const all = conditions.map(({ id }) => id).sort();
  for (const block of [1, 2, 3]) assert.deepEqual(ids(block).sort(), all);
  assert.notDeepEqual(ids(1), ids(2));
  assert.notDeepEqual(
    ids(1),
    conditions.map(({ id }) => id),
  );
});

test("the order depends on the seed and the block, not on how many blocks there are", () => {
  assert.deepEqual(ids(2, 3), ids(2, 20));
  assert.notDeepEqual(ids(1, 1, 1), ids(1, 1, 2));
});

test("--only selects by axes and by the channel's quantities, together", () => {
  assert.equal(select(conditions, []).length, 288);
  assert.equal(select(conditions, ["page=A"]).length, 96);
  assert.equal(select(conditions, ["page=A,B", "rtt=100ms", "loss=1%", "rate=10/1"]).length, 24);
  assert.equal(
    select(conditions, ["channel=10x1-100ms-0%", "initcwnd=3", "protocol=h2", "servers=1", "page=C"])[0]?.id,
    "C/1s/10x1-100ms-0%/h2/iw3/nginx/cubic",
  );
});

test("--only names what it does not know and lists what there is", () => {
  assert.throws(() => select(conditions, ["colour=red"]), /no axis "colour"; there is: page, servers/);
  assert.throws(() => select(conditions, ["page=A,Z"]), /no page "Z"; there is: A, B, C/);
  assert.throws(() => select(conditions, ["page"]), /give one or more values, as in --only page=A/);
  assert.throws(() => select(conditions, ["rate=10/1", "channel=20x2-20ms-0%"]), /no condition is left/);
});
