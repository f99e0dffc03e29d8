/** `recordedWork` computes all loads of a recorded chunk, even if the chunk's lane ended before it had made them all. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoadChunk } from "../../schema/lane-messages.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import { planBlocks } from "../plan/blocks.ts";
import { blockRun } from "../record/find-run.ts";
import { readRun } from "../record/records.ts";
import { chunkNumbers, chunksToRepeat } from "./chunks-to-repeat.ts";
import type { Recorded } from "./recorded-chunks.ts";
import { recordedWork } from "./rounds.ts";
import { onLinks, record, runWith } from "./test-lanes.fixture.ts";

const chunkLoads = 10;
const sizes = { loads: chunkLoads, links: 4 };
const policy = { links: "hold", atOnce: 1 } as const;
const many = planBlocks(onLinks(["10x1-20ms-0%", "20x2-100ms-1%"]), 3, 1);
const idsOf = (loads: PlannedLoad[]) =>
  loads.map(({ block, attempt, condition }) => `${block} ${attempt} ${condition.id}`);

/** Lists, for each lane that was started, the number of its chunk, and the loads that the lane got. */
const given = (chunks: LoadChunk[]) => chunks.map(({ number, loads }): [number, string[]] => [number, idsOf(loads)]);
const found = (recorded: Recorded) =>
  [...recordedWork(many, recorded, sizes)].map(([number, { loads }]) => [number, idsOf(loads)]);
const withEach = (...parts: Recorded[]): Recorded => ({
  loads: parts.flatMap(({ loads }) => loads),
  lanes: parts.flatMap(({ lanes }) => lanes),
  calibrations: parts.flatMap(({ calibrations }) => calibrations),
});

const fails = (load: PlannedLoad) => record(load, load.attempt > 1 || load.block > 1);

/** Makes two lanes in a row die at the load `deadly`. After the second lane, the chunk is not tried again. */
function dyingTwiceAt(deadly: PlannedLoad) {
  let deaths = 0;
  return (load: PlannedLoad) =>
    load.block === deadly.block && load.condition.id === deadly.condition.id && deaths++ < 2 ? "die" : fails(load);
}

test("recordedWork of a chunk whose lane died includes the loads that the lane never started", async () => {
  const run = await runWith(dyingTwiceAt(many[14]!), { plan: many, policy, sizes });
  assert.deepEqual(run.missing, []);
  const broken = run.kept.find((load) => load.broken)!;
  const ofBroken = run.chunks.filter(({ number }) => number === broken.chunk);
  assert.equal(ofBroken.length, 2);
  assert.equal(
    run.kept.filter(({ chunk }) => chunk === broken.chunk).length,
    5,
    "four loads, and the one at which the lane died",
  );
  assert.deepEqual(found(run.lines), [...new Map(given(run.chunks))]);
  assert.deepEqual(idsOf(ofBroken[0]!.loads).length, chunkLoads);
});

test("a chunk whose lane never started, and whose loads other chunks made, is not repeated when the run is resumed", async () => {
  const run = await runWith((load) => record(load), { plan: many, policy, sizes, stillborn: 2 });
  assert.deepEqual(run.missing, []);
  assert.deepEqual(found(run.lines), [...new Map(given(run.chunks))]);
  const resumed = await runWith((load) => record(load), { plan: many, policy, sizes, recorded: run.lines });
  assert.deepEqual([resumed.chunks.length, resumed.kept.length], [0, 0]);
});

test("if a repeated chunk's lane dies at a load that already has a line, no line is added for the death, and other chunks make the remaining loads", async () => {
  const before = await runWith(fails, { plan: many, policy, sizes, abortAfter: 8 });
  const { chunk } = before.kept[0]!;
  const dies = dyingTwiceAt(many[2]!);
  const after = await runWith(dies, { plan: many, policy, sizes, recorded: before.lines });
  assert.equal(after.chunks.filter(({ number }) => number === chunk).length, 2);
  const all = withEach(before.lines, after.lines);
  assert.deepEqual(
    all.loads.filter(({ broken }) => broken),
    [],
  );
  const once = new Set(all.loads.map(({ block, attempt, condition }) => `${block} ${attempt} ${condition}`));
  assert.equal(all.loads.length, once.size);
  assert.deepEqual(after.missing, []);
  assert.ok(all.loads.filter((load) => load.chunk === chunk).length < chunkLoads);
  const resumed = await runWith(fails, { plan: many, policy, sizes, recorded: all });
  assert.deepEqual([resumed.chunks.length, resumed.kept.length], [0, 0]);
});

test("for a complete recorded run, chunksToRepeat gives each chunk as many loads as were recorded, and reports no chunk as ended early", () => {
  const run = readRun(blockRun);
  for (const { chunk, loads, endedEarly } of chunksToRepeat(run, new Set(chunkNumbers(run)))) {
    assert.deepEqual(idsOf(chunk.loads).length, loads.length, `chunk ${chunk.number}`);
    assert.equal(endedEarly, false);
  }
});
