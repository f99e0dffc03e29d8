/** Tests which loads the runner makes, which it attempts again, and which it reports as missing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlannedLoad } from "../../schema/plan.ts";
import { good } from "../judge/load/sample-load.fixture.ts";
import { planBlocks } from "../plan/blocks.ts";
import { maxAttempts } from "./attempts.ts";
import { conditions, keys, onLinks, plan, record, runWith } from "./test-lanes.fixture.ts";

/** The link of the sample load `good`. In a test below, a load that times out has the evidence of `good`. */
const link = "10x1-100ms-0%";

test("a run makes every load once, in the plan's order", async () => {
  const { missing, kept } = await runWith((load) => record(load));
  assert.deepEqual(missing, []);
  assert.deepEqual(
    kept.map(({ condition }) => condition),
    plan.map(({ condition }) => condition.id),
  );
});

test("a run attempts a failed load again, and keeps the record of the failure", async () => {
  const { missing, kept } = await runWith((load) =>
    record(load, load.attempt > 1 || load.condition.values.protocol === "h1"),
  );
  assert.deepEqual(missing, []);
  assert.equal(kept.filter(({ ok }) => !ok).length, 4);
  assert.deepEqual(
    kept
      .filter(({ condition, block }) => block === 1 && condition === conditions[2]?.id)
      .map(({ attempt, ok }) => [attempt, ok]),
    [
      [1, false],
      [2, true],
    ],
  );
});

test("a load that exceeds the time-out is attempted again if a server ended, but not if link, servers and browser worked", async () => {
  const plan = planBlocks(onLinks([link]), 2, 1);
  const timeout = (load: PlannedLoad, news: object) => ({
    ...record(load, false),
    cause: "time-out" as const,
    evidence: { ...good, timing: {}, ...news },
  });
  const alive = await runWith((load) => timeout(load, {}), { plan });
  assert.deepEqual([alive.missing.length, alive.kept.length], [0, plan.length]);
  const dead = await runWith((load) => timeout(load, { ended: ["a server"] }), { plan });
  assert.deepEqual([dead.missing.length, dead.kept.length], [plan.length, maxAttempts * plan.length]);
});

test("a load that fails `maxAttempts` times is given up, and reported as missing", async () => {
  const { missing, kept } = await runWith((load) => record(load, load.condition.id !== conditions[0]?.id));
  assert.deepEqual(
    missing.map(({ block, condition }) => [block, condition.id]),
    [
      [1, conditions[0]?.id],
      [2, conditions[0]?.id],
    ],
  );
  assert.equal(kept.filter(({ ok }) => !ok).length, 2 * maxAttempts);
});

test("if a lane dies, the run records the reason, starts another lane, and makes no load twice", async () => {
  let deaths = 0;
  const { missing, kept, broken } = await runWith((load, made) =>
    made === 3 && deaths++ === 0 ? "die" : record(load),
  );
  assert.deepEqual(missing, []);
  const good = kept.filter(({ ok }) => ok);
  assert.equal(new Set(keys(good)).size, good.length);
  assert.deepEqual(
    kept.flatMap((load) => (load.ok ? [] : [[load.block, load.condition, load.attempt, load.reason]])),
    [[1, plan[3]?.condition.id, 1, "the lane died"]],
  );
  assert.deepEqual(broken, [`${plan[3]?.condition.id}: the lane died`]);
});

test("a load at which every lane dies is given up, and all other loads are made", async () => {
  const { missing, kept } = await runWith((load) =>
    load.condition.id === plan[0]?.condition.id && load.block === 1 ? "die" : record(load),
  );
  assert.deepEqual(
    missing.map(({ block, condition }) => [block, condition.id]),
    [[1, plan[0]?.condition.id]],
  );
  assert.equal(kept.filter(({ ok }) => !ok).length, maxAttempts);
});

test("a run fails with the lane's error if no lane makes a load", async () => {
  await assert.rejects(
    runWith(() => "die"),
    /the lane died/,
  );
});

test("a resumed run makes only the loads that are missing or have failed", async () => {
  const recorded = plan.slice(0, 3).map((load, i) => record(load, i > 0));
  const { missing, kept } = await runWith((load) => record(load), { recorded: { loads: recorded } });
  assert.deepEqual(missing, []);
  assert.deepEqual(keys([...recorded.filter(({ ok }) => ok), ...kept]), keys(plan.map((load) => record(load))));
  assert.equal(kept.find(({ condition, block }) => block === 1 && condition === plan[0]?.condition.id)?.attempt, 2);
});

test("a run stops at once when interrupted, and reports the loads that it has not made as missing", async () => {
  const { missing, kept } = await runWith((load) => record(load), { abortAfter: 4 }); // messages: a link, the lane, two loads
  assert.equal(kept.length, 2);
  assert.equal(missing.length, plan.length - 2);
});
