/** The runner with lanes that are not real: what is made, tried again, kept and missed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LaneMessage, LoadChunk } from "../../schema/lane-messages.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import { type LanePolicy, realLanes } from "../../substrate/substrate.ts";
import { planBlocks } from "../plan/blocks.ts";
import { conditions as conditionsOf } from "../report/tables/synthetic-loads.ts";
import { maxAttempts } from "./attempts.ts";
import type { Recorded, RecordedLoad } from "./recorded-chunks.ts";
import { LaneError } from "./run-events.ts";
import { runPlan } from "./runner.ts";

const conditions = conditionsOf({ initcwnd: [3, 10] });
const plan = planBlocks(conditions, 2, 1);
/** With as many links. */
const onLinks = (...link: string[]) => conditionsOf({ initcwnd: [3, 10], link });

/** A load's line, as far as the runner looks at it. */
interface Made extends RecordedLoad {
  ok: boolean;
  pageLoadMs?: number;
  reason?: string;
  evidence?: object;
}
const record = ({ block, attempt, condition }: PlannedLoad, ok = true): Made => ({
  condition: condition.id,
  block,
  attempt,
  lane: 0,
  broken: false,
  ok,
  observed: ok ? "time" : null,
  ...(ok ? { pageLoadMs: 1 } : { reason: "it broke" }),
});

type Behaviour = (load: PlannedLoad, made: number) => Made | "die";

async function runWith(
  behaviour: Behaviour,
  options: {
    policy?: LanePolicy;
    plan?: PlannedLoad[];
    recorded?: Partial<Recorded>;
    abortAfter?: number;
  } = {},
) {
  const kept: Made[] = [];
  const lines = { loads: kept, lanes: [] as number[], calibrations: [] as Recorded["calibrations"][number][] };
  const chunks: LoadChunk[] = [];
  const said: string[] = [];
  const controller = new AbortController();
  async function* startLane(chunk: LoadChunk): AsyncIterable<LaneMessage> {
    chunks.push(chunk);
    for (const [i, { values }] of chunk.calibrate.entries()) {
      const calibration = { calibration: `${chunk.number}.${i}`, attempt: 1, link: values.link, final: true };
      yield { kind: "calibration", calibration } as never;
    }
    yield { kind: "lane", lane: { lane: chunk.number } } as never;
    for (const load of chunk.loads) {
      const made = behaviour(load, kept.length);
      if (made === "die") throw new LaneError("the lane died");
      yield { kind: "load", load: { ...made, lane: chunk.number } } as never;
    }
  }
  let minutes = 0;
  let left = options.abortAfter ?? Infinity;
  const missing = await runPlan({
    now: () => {
      minutes += 11;
      return minutes * 60_000;
    },
    timeOf: () => new Date(0),
    policy: options.policy ?? realLanes,
    plan: options.plan ?? plan,
    recorded: { loads: [], lanes: [], calibrations: [], ...options.recorded },
    timeoutMs: 1000,
    startLane,
    signal: controller.signal,
    report: (event) => void (event.kind === "lane broke" && said.push(event.message)),
    registries: {} as Registries,
    keep(message) {
      if (message.kind === "load") {
        const { load } = message;
        kept.push({ ...load, broken: !load.ok && load.wallMs === 0 } as never);
      } else if (message.kind === "lane") lines.lanes.push(message.lane.lane);
      else if (message.kind === "calibration") lines.calibrations.push(message.calibration);
      if (--left === 0) controller.abort();
    },
  });
  return { missing, kept, chunks, said, lines };
}

const keys = (loads: Made[]) => loads.map(({ block, condition }) => `${block} ${condition}`).sort();

test("makes every load once, in the plan's order", async () => {
  const { missing, kept } = await runWith((load) => record(load));
  assert.deepEqual(missing, []);
  assert.deepEqual(
    kept.map(({ condition }) => condition),
    plan.map(({ condition }) => condition.id),
  );
});

test("tries a failed load again under the next attempt, and keeps the failure", async () => {
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

test("does not try a load again that took longer than the time-out while link, servers and browser worked", async () => {
  const direction = { sentPackets: 1 };
  const evidence = { link: { down: direction, up: direction }, packets: { flows: [{}] }, failed: 0, ended: [] };
  const timeout = (load: PlannedLoad, news: object) => ({
    ...record(load, false),
    reason: "timeout: not loaded after 1 s",
    evidence: { ...evidence, ...news },
  });
  const alive = await runWith((load) => timeout(load, {}));
  assert.deepEqual([alive.missing.length, alive.kept.length], [0, plan.length]);
  const dead = await runWith((load) => timeout(load, { ended: ["a server"] }));
  assert.deepEqual([dead.missing.length, dead.kept.length], [plan.length, maxAttempts * plan.length]);
});

test("gives a load up after its attempts and reports it missing", async () => {
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

test("starts another lane after one died, records what it died of, and makes nothing twice", async () => {
  let deaths = 0;
  const { missing, kept, said } = await runWith((load, made) => (made === 3 && deaths++ === 0 ? "die" : record(load)));
  assert.deepEqual(missing, []);
  const good = kept.filter(({ ok }) => ok);
  assert.equal(new Set(keys(good)).size, good.length);
  assert.deepEqual(
    kept.flatMap((load) => (load.ok ? [] : [[load.block, load.condition, load.attempt, load.reason]])),
    [[1, plan[3]?.condition.id, 1, "the lane died"]],
  );
  assert.deepEqual(said, [`${plan[3]?.condition.id}: the lane died`]);
});

test("a load that breaks every lane is given up, and the others are made", async () => {
  const { missing, kept } = await runWith((load) =>
    load.condition.id === plan[0]?.condition.id && load.block === 1 ? "die" : record(load),
  );
  assert.deepEqual(
    missing.map(({ block, condition }) => [block, condition.id]),
    [[1, plan[0]?.condition.id]],
  );
  assert.equal(kept.filter(({ ok }) => !ok).length, maxAttempts);
});

test("ends with the lane's words when no lane makes a load", async () => {
  await assert.rejects(
    runWith(() => "die"),
    /the lane died/,
  );
});

test("resumes: makes only what is not there, and tries old failures again", async () => {
  const recorded = plan.slice(0, 3).map((load, i) => record(load, i > 0));
  const { missing, kept } = await runWith((load) => record(load), { recorded: { loads: recorded } });
  assert.deepEqual(missing, []);
  assert.deepEqual(keys([...recorded.filter(({ ok }) => ok), ...kept]), keys(plan.map((load) => record(load))));
  assert.equal(kept.find(({ condition, block }) => block === 1 && condition === plan[0]?.condition.id)?.attempt, 2);
});

test("stops at once when interrupted; the rest is missing", async () => {
  const { missing, kept } = await runWith((load) => record(load), { abortAfter: 4 }); // a link, the lane, two loads
  assert.equal(kept.length, 2);
  assert.equal(missing.length, plan.length - 2);
});

test("a lane makes no more than a slice; the links measured longest ago are measured again with the next", async () => {
  const names = ["10x1-20ms-0%", "10x1-100ms-0%", "20x2-20ms-0%"];
  const many = onLinks(...names);
  const { chunks } = await runWith((load) => record(load), { plan: planBlocks(many, 80, 1) });
  assert.deepEqual(
    chunks.map(({ loads }) => loads.length),
    [300, 300, 300, 60],
  );
  const measured = chunks.map(({ calibrate }) => calibrate.map(({ values }) => values.link));
  assert.deepEqual(measured[0]?.toSorted(), names.toSorted());
  assert.deepEqual(
    Object.keys(chunks[1]!.calibrations).sort(),
    names.toSorted(),
    "a lane knows what was measured before",
  );
  assert.deepEqual(measured.slice(1, 3), [measured[0]?.slice(0, 2), [measured[0]?.[2], measured[0]?.[0]]]);
});

const fiveLinks = ["10x1-20ms-0%", "10x1-100ms-0%", "20x2-20ms-0%", "20x2-100ms-0%", "20x2-100ms-1%"];
const several = { links: "hold", atOnce: 3, chunkLoads: 10 } satisfies LanePolicy;

test("several lanes: links are measured first, a few by each lane; what a lane is given depends on the plan alone", async () => {
  const many = planBlocks(onLinks(...fiveLinks), 2, 1);
  const [three, one] = await Promise.all(
    [3, 1].map((atOnce) =>
      runWith((load) => record(load, load.attempt > 1 || load.block > 1), {
        plan: many,
        policy: { ...several, atOnce },
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

test("several lanes: a run that was interrupted anywhere has the lines of one that was not", async () => {
  const many = planBlocks(onLinks(...fiveLinks), 2, 1);
  const fails = (load: PlannedLoad) => record(load, load.attempt > 1 || load.condition.values.link !== fiveLinks[0]);
  const policy = { ...several, atOnce: 1 };
  const whole = await runWith(fails, { plan: many, policy });
  const all = linesOf([whole.lines]);
  for (let abortAfter = 1; abortAfter < all.length; abortAfter++) {
    const before = await runWith(fails, { plan: many, policy, abortAfter });
    const after = await runWith(fails, { plan: many, policy, recorded: before.lines });
    assert.deepEqual(linesOf([before.lines, after.lines]), all, `after ${abortAfter} lines`);
    assert.deepEqual(after.missing, []);
  }
});

test("several lanes: a chunk whose lane was killed is made again under its number", async () => {
  let deaths = 0;
  const many = planBlocks(onLinks(...fiveLinks), 2, 1);
  const whole = await runWith((load) => record(load), { plan: many, policy: several });
  const killed = await runWith((load, made) => (made === 17 && deaths++ === 0 ? "die" : record(load)), {
    plan: many,
    policy: several,
  });
  assert.deepEqual(killed.said, ["the lane died"]);
  assert.deepEqual(linesOf([killed.lines]), linesOf([whole.lines]));
});

/** Each line's chunk, and what it is of, in the order of the chunks. */
const linesOf = (parts: Recorded[]) =>
  parts
    .flatMap(({ loads, lanes, calibrations }) => [
      ...calibrations.map(({ calibration, link }) => [Number(calibration.split(".")[0]), calibration, link]),
      ...lanes.map((lane) => [lane, "lane"]),
      ...loads.map(({ lane, block, attempt, condition }) => [lane, `${block} ${attempt} ${condition}`]),
    ])
    .sort(([a], [b]) => Number(a) - Number(b));

test("several lanes: what stops the run ends them all", async () => {
  const { lines } = await runWith((load) => record(load), {
    policy: several,
    plan: planBlocks(conditions, 20, 1),
    abortAfter: 12,
  });
  assert.equal(linesOf([lines]).length, 12);
});

test("several lanes: when what one says cannot be kept, the others are ended too", async () => {
  const full = new Error("no space left on device");
  const many = planBlocks(onLinks(...fiveLinks), 1, 1);
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
      registries: {} as Registries,
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
