/** The runner with lanes that are not real: what is made, tried again, kept and missed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { flatten, type LoadRecord, type PlannedLoad } from "../../schema/model.ts";
import { realLanes } from "../../substrate/substrate.ts";
import type { Chunk, LaneMessage } from "../lane/chunk.ts";
import { planBlocks } from "../plan/blocks.ts";
import { conditionsOf } from "../plan/experiment.ts";
import { maxAttempts } from "./attempts.ts";
import { LaneError, type LanePolicy, runPlan } from "./runner.ts";

const channel = { name: "c", downMbps: 10, upMbps: 1, rttMs: 20, lossPercent: 0, queuePackets: 50 };
const axes = {
  page: ["A"],
  servers: [1],
  channel: ["c"],
  protocol: ["h1", "h2"],
  initcwnd: [3, 10],
  server: ["nginx"],
  congestion: ["cubic" as const],
};
const conditions = conditionsOf({ axes }, { c: channel });
const plan = planBlocks(conditions, 2, 1);

const evidence = { requests: 1, failed: 0, connections: [], receivedBytes: 0, fromCache: 0, timing: {} };
function record({ block, attempt, condition }: PlannedLoad, ok = true): LoadRecord {
  const common = { ...flatten(condition), block, attempt, startedAt: "2026-01-01T00:00:00Z", wallMs: 1 };
  return ok ? { ...common, ok, pageLoadMs: 1, evidence } : { ...common, ok, reason: "it broke" };
}

type Behaviour = (load: PlannedLoad, made: number) => LoadRecord | "die";

async function runWith(
  behaviour: Behaviour,
  options: {
    policy?: LanePolicy;
    enough?: (timesMs: number[]) => boolean;
    plan?: PlannedLoad[];
    recorded?: LoadRecord[];
    abortAfter?: number;
  } = {},
) {
  const kept: LoadRecord[] = [];
  const chunks: Chunk[] = [];
  const said: string[] = [];
  const controller = new AbortController();
  async function* startLane(chunk: Chunk): AsyncIterable<LaneMessage> {
    chunks.push(chunk);
    yield { environment: {} as never };
    for (const { channel } of chunk.calibrate) yield { calibration: { channel, final: true } as never };
    for (const load of chunk.loads) {
      const made = behaviour(load, kept.length);
      if (made === "die") throw new LaneError("the lane died");
      yield { load: made };
    }
  }
  let minutes = 0;
  const missing = await runPlan({
    now: () => (minutes += 11) * 60_000,
    timeOf: () => new Date(0),
    policy: options.policy ?? realLanes,
    ...(options.enough ? { enough: options.enough } : {}),
    plan: options.plan ?? plan,
    recorded: options.recorded ?? [],
    timeoutMs: 1000,
    startLane,
    signal: controller.signal,
    report: (text) => void said.push(text),
    keep(message) {
      if ("load" in message) kept.push(message.load);
      if (kept.length === options.abortAfter) controller.abort();
    },
  });
  return { missing, kept, chunks, said };
}

const keys = (loads: LoadRecord[]) => loads.map(({ block, condition }) => `${block} ${condition}`).sort();

test("makes every load once, in the plan's order", async () => {
  const { missing, kept } = await runWith((load) => record(load));
  assert.deepEqual(missing, []);
  assert.deepEqual(
    kept.map(({ condition }) => condition),
    plan.map(({ condition }) => condition.id),
  );
});

test("tries a failed load again under the next attempt, and keeps the failure", async () => {
  const { missing, kept } = await runWith((load) => record(load, load.attempt > 1 || load.condition.protocol === "h1"));
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
  assert.deepEqual(said, ["the lane died; starting another lane"]);
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
  const { missing, kept } = await runWith((load) => record(load), { recorded });
  assert.deepEqual(missing, []);
  assert.deepEqual(keys([...recorded.filter(({ ok }) => ok), ...kept]), keys(plan.map((load) => record(load))));
  assert.equal(kept.find(({ condition, block }) => block === 1 && condition === plan[0]?.condition.id)?.attempt, 2);
});

test("stops at once when interrupted; the rest is missing", async () => {
  const { missing, kept } = await runWith((load) => record(load), { abortAfter: 2 });
  assert.equal(kept.length, 2);
  assert.equal(missing.length, plan.length - 2);
});

test("a lane makes no more than a slice; the channels measured longest ago are measured again with the next", async () => {
  const names = ["c1", "c2", "c3"];
  const many = conditionsOf(
    { axes: { ...axes, channel: names } },
    Object.fromEntries(names.map((name) => [name, { ...channel, name }])),
  );
  const { chunks } = await runWith((load) => record(load), { plan: planBlocks(many, 80, 1) });
  assert.deepEqual(
    chunks.map(({ loads }) => loads.length),
    [300, 300, 300, 60],
  );
  const measured = chunks.map(({ calibrate }) => calibrate.map(({ channel: { name } }) => name));
  assert.deepEqual(measured[0]?.toSorted(), names);
  assert.deepEqual(measured.slice(1, 3), [measured[0]?.slice(0, 2), [measured[0]?.[2], measured[0]?.[0]]]);
});

const several: LanePolicy = { atOnce: 3, chunkLoads: 10, calibrateAgainMs: null };

test("several lanes: channels are measured first, each by itself; what a lane is given depends on the plan alone", async () => {
  const names = ["c1", "c2"];
  const many = planBlocks(
    conditionsOf(
      { axes: { ...axes, channel: names } },
      Object.fromEntries(names.map((name) => [name, { ...channel, name }])),
    ),
    5,
    1,
  );
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
      [0, 1, 0],
      [1, 1, 0],
      [2, 0, 10],
      [3, 0, 10],
      [4, 0, 10],
      [5, 0, 10],
      [6, 0, 8],
    ],
  );
  const work = ({ chunks }: typeof one & object) =>
    chunks.map(({ number, loads }) => [
      number,
      ...loads.map(({ block, attempt, condition }) => `${block} ${attempt} ${condition.id}`),
    ]);
  assert.deepEqual(work(three!), work(one!));
});

test("several lanes: what stops the run ends them all", async () => {
  const { kept } = await runWith((load) => record(load), {
    policy: several,
    plan: planBlocks(conditions, 20, 1),
    abortAfter: 12,
  });
  assert.equal(kept.length, 12);
});

test("a condition of which enough is known gets no more loads", async () => {
  const enough = (timesMs: number[]) => timesMs.length >= 3;
  for (const policy of [realLanes, several]) {
    const { kept, missing } = await runWith((load) => record(load), {
      policy,
      enough,
      plan: planBlocks(conditions, 9, 1),
    });
    assert.deepEqual([kept.length, missing.length], [3 * conditions.length, 0]);
  }
});

test("several lanes: when what one says cannot be kept, the others are ended too", async () => {
  const full = new Error("no space left on device");
  const many = planBlocks(
    conditionsOf(
      { axes: { ...axes, channel: ["c1", "c2"] } },
      { c1: { ...channel, name: "c1" }, c2: { ...channel, name: "c2" } },
    ),
    1,
    1,
  );
  let ended = 0;
  async function* startLane({ number }: Chunk, _: number, signal: AbortSignal): AsyncIterable<LaneMessage> {
    if (number === 0) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    else yield { environment: {} as never };
    ended++;
  }
  const keep = () => {
    throw full;
  };
  const signal = new AbortController().signal;
  await assert.rejects(
    runPlan({
      plan: many,
      recorded: [],
      policy: several,
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
