/** Tests how the runner divides loads and links among lanes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LaneMessage, LoadChunk } from "../../schema/lane-messages.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import type { LanePolicy } from "../../substrate/substrate.ts";
import { planBlocks } from "../plan/blocks.ts";
import type { Recorded } from "./recorded-chunks.ts";
import { runPlan } from "./runner.ts";
import { linkOf, measuringAlike } from "./share-work.ts";
import { conditions, onLinks, plan, record, runWith } from "./test-lanes.fixture.ts";

test("each lane gets one slice of the loads, and each lane after the first begins by repeating the oldest link measurements", async () => {
  const names = ["10x1-20ms-0%", "10x1-100ms-0%", "20x2-20ms-0%"];
  const many = onLinks(names);
  const { chunks } = await runWith((load) => record(load), { plan: planBlocks(many, 80, 1) });
  assert.deepEqual(
    chunks.map(({ loads }) => loads.length),
    [300, 300, 300, 60],
  );
  const measured = chunks.map(({ calibrate }) => calibrate.map(linkOf));
  assert.deepEqual(measured[0]?.toSorted(), names.toSorted());
  assert.deepEqual(
    Object.keys(chunks[1]!.calibrations).sort(),
    names.toSorted(),
    "the second lane gets the first lane's measurements",
  );
  assert.deepEqual(measured.slice(1, 3), [measured[0]?.slice(0, 2), [measured[0]?.[2], measured[0]?.[0]]]);
});

const fiveLinks = ["10x1-20ms-0%", "10x1-100ms-0%", "20x2-20ms-0%", "20x2-100ms-0%", "20x2-100ms-1%"];
const several = { links: "hold", atOnce: 3 } satisfies LanePolicy;
const sizes = { loads: 10, links: 4 };

test("several lanes: links are measured before loads are made, and the chunks do not depend on the number of lanes", async () => {
  const many = planBlocks(onLinks(fiveLinks), 2, 1);
  const [three, one] = await Promise.all(
    [3, 1].map((atOnce) =>
      runWith((load) => record(load, load.attempt > 1 || load.block > 1), {
        plan: many,
        policy: { ...several, atOnce },
        sizes,
      }),
    ),
  );
  assert.deepEqual(three!.missing, []);
  assert.deepEqual(
    three!.chunks.map(({ number, calibrate, loads }) => [number, calibrate.length, loads.length]),
    [
      [0, 4, 0],
      [1, 1, 0],
      [2, 0, 10],
      [3, 0, 10],
      [4, 0, 10],
      [5, 0, 10],
      [6, 0, 10],
      [7, 0, 10],
    ],
  );
  const work = ({ chunks }: typeof one & object) =>
    chunks.map(({ number, loads }) => [
      number,
      ...loads.map(({ block, attempt, condition }) => `${block} ${attempt} ${condition.id}`),
    ]);
  assert.deepEqual(work(three!), work(one!));
});

test("several lanes: chunks that only measure links do not depend on the run's seed, page and random losses", async () => {
  const measuring = async (page: string, seed: number) => {
    const plan = planBlocks(onLinks(fiveLinks, page), 2, seed);
    const { chunks } = await runWith((load) => record(load), { plan, policy: several, sizes, sharesLosses: { seed } });
    return chunks.filter(({ loads }) => loads.length === 0);
  };
  const chunks = await measuring("A", 3);
  assert.deepEqual(await measuring("B", 4), chunks);
  const plan = planBlocks(onLinks(fiveLinks), 2, 3);
  assert.deepEqual(
    chunks.flatMap(({ calibrate }) => calibrate),
    measuringAlike(plan),
    "a repeated chunk measures the same links",
  );
});

test("several lanes: a run that is interrupted anywhere and resumed records the same lines as an uninterrupted run", async () => {
  const many = planBlocks(onLinks(fiveLinks), 2, 1);
  const fails = (load: PlannedLoad) => record(load, load.attempt > 1 || load.condition.values.link !== fiveLinks[0]);
  const policy = { ...several, atOnce: 1 };
  const whole = await runWith(fails, { plan: many, policy, sizes });
  const all = linesOf([whole.lines]);
  for (let abortAfter = 1; abortAfter < all.length; abortAfter++) {
    const before = await runWith(fails, { plan: many, policy, sizes, abortAfter });
    const after = await runWith(fails, { plan: many, policy, sizes, recorded: before.lines });
    assert.deepEqual(linesOf([before.lines, after.lines]), all, `after ${abortAfter} lines`);
    assert.deepEqual(after.missing, []);
  }
});

test("several lanes: if a lane is killed, its chunk is made again under the same number", async () => {
  let deaths = 0;
  const many = planBlocks(onLinks(fiveLinks), 2, 1);
  const whole = await runWith((load) => record(load), { plan: many, policy: several, sizes });
  const killed = await runWith((load, made) => (made === 17 && deaths++ === 0 ? "die" : record(load)), {
    plan: many,
    policy: several,
    sizes,
  });
  assert.deepEqual(killed.broken, ["the lane died"]);
  assert.deepEqual(linesOf([killed.lines]), linesOf([whole.lines]));
});

test("several lanes: a load at which every lane dies is given up, and all other loads are made", async () => {
  const [first] = plan;
  const { missing } = await runWith((load) => (load.condition.id === first!.condition.id ? "die" : record(load)), {
    plan: planBlocks(conditions, 1, 1),
    policy: { ...several, atOnce: 1 },
    sizes,
  });
  assert.deepEqual(
    missing.map(({ condition }) => condition.id),
    [first!.condition.id],
  );
});

/** Lists each line's chunk and subject, in the order of the chunks. */
const linesOf = (parts: Recorded[]) =>
  parts
    .flatMap(({ loads, lanes, calibrations }) => [
      ...calibrations.map(({ calibration, link }) => [Number(calibration.split(".")[0]), calibration, link]),
      ...lanes.map((lane) => [lane, "lane"]),
      ...loads.map(({ chunk, block, attempt, condition }) => [chunk, `${block} ${attempt} ${condition}`]),
    ])
    .sort(([a], [b]) => Number(a) - Number(b));

test("several lanes: interrupting the run ends all lanes", async () => {
  const { lines } = await runWith((load) => record(load), {
    policy: several,
    sizes,
    plan: planBlocks(conditions, 20, 1),
    abortAfter: 12,
  });
  assert.equal(linesOf([lines]).length, 12);
});

test("several lanes: if a lane's message cannot be recorded, the other lanes are ended, too", async () => {
  const full = new Error("no space left on device");
  const many = planBlocks(onLinks(fiveLinks), 1, 1);
  let ended = 0;
  async function* startLane({ number }: LoadChunk, _: number, signal: AbortSignal): AsyncIterable<LaneMessage> {
    if (number === 0) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    else yield { kind: "lane", lane: {} as never };
    ended++;
  }
  const keep = () => {
    throw full;
  };
  const signal = new AbortController().signal;
  await assert.rejects(
    runPlan({
      plan: many,
      recorded: { loads: [], lanes: [], calibrations: [] },
      policy: several,
      sizes,
      registries: {} as Registries,
      seed: 1,
      timeoutMs: 1,
      startLane,
      timeOf: () => new Date(0),
      keep,
      report: () => {},
      signal,
    }),
    full,
  );
  assert.equal(ended, 1);
});
