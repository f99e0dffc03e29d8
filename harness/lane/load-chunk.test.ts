/** Tests the order of a lane's messages, and that a client that hangs ends the lane. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LaneMessage, LoadChunk } from "../../schema/lane-messages.ts";
import { type Link, linkName } from "../../schema/link.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import { conditions as conditionsOf } from "../tables/synthetic-loads.fixture.ts";
import { type LaneParts, workOnLoads } from "./load-chunk.ts";

const conditions = conditionsOf({ protocol: ["h1", "h2"], initcwnd: [10], link: ["20x2-20ms-1%", "10x1-20ms-1%"] });
const loads = conditions.map((condition): PlannedLoad => ({ block: 1, attempt: 1, condition }));
const [link, otherLink] = ["20x2-20ms-1%", "10x1-20ms-1%"];
const withLink = (name: string) => conditions.find(({ values }) => values.link === name)!;
const chunk: LoadChunk = {
  kind: "loads",
  number: 3,
  calibrate: [withLink(link), withLink(otherLink)].map(({ settings }) => settings),
  calibrations: { [link]: "1.0", "5x1-20ms-0%": "2.0" },
  loads,
  registries: { links: {}, protocols: {}, pages: {}, servers: {}, clients: {}, hosts: [], defaults: {} },
  timeoutMs: 1000,
};

/** @param tries how often a link is measured @param hangsAt the load in which the client hangs; 0 is the warm-up */
async function work(work: LoadChunk, tries = 1, hangsAt = Number.POSITIVE_INFINITY) {
  const steps: string[] = [];
  const made: Pick<Link, "lossPercent" | "lossSeed" | "traceOffsetMs">[] = [];
  const drawnMs: (number | undefined)[] = [];
  const parts: LaneParts = {
    async *calibrate(settings) {
      steps.push("measure");
      for (let attempt = 1; attempt <= tries; attempt++)
        yield { link: linkName(settings.link), attempt, final: attempt === tries } as never;
    },
    openMaker: async () => {
      steps.push("open");
      return {
        get clientHangs() {
          return made.length > hangsAt;
        },
        async make({ block, condition }) {
          const { lossPercent, lossSeed, traceOffsetMs } = condition.settings.link;
          drawnMs.push(condition.settings.background?.drawnMs);
          made.push({
            lossPercent,
            ...(lossSeed !== undefined && { lossSeed }),
            ...(traceOffsetMs !== undefined && { traceOffsetMs }),
          });
          return { kind: "load", load: { block, condition: condition.id } } as never;
        },
      };
    },
    describe: async (calibrations) => {
      steps.push("describe");
      return { calibrations } as never;
    },
  };
  const messages: LaneMessage[] = [];
  for await (const message of workOnLoads(work, parts)) messages.push(message);
  return { steps, made, drawnMs, messages };
}
const kinds = (messages: LaneMessage[]) => messages.map(({ kind }) => kind);

test("links are measured before a client is opened, and the lane is described after the client is open", async () => {
  const { steps, messages } = await work(chunk);
  assert.deepEqual(steps, ["measure", "measure", "open", "describe"]);
  assert.deepEqual(kinds(messages), ["calibration", "calibration", "lane", ...loads.map(() => "load")]);
});

test("calibrations are numbered throughout the chunk, and the lane's description has the last calibration of each link", async () => {
  const { messages } = await work(chunk, 2);
  const numbers = messages.flatMap((one) => (one.kind === "calibration" ? [one.calibration.calibration] : []));
  assert.deepEqual(numbers, ["3.0", "3.1", "3.2", "3.3"]);
  const lane = messages.find((one) => one.kind === "lane");
  assert.deepEqual(lane?.lane.calibrations, { [link]: "3.1", [otherLink]: "3.3", "5x1-20ms-0%": "2.0" });
});

test("the client's warm-up load is made without loss and is not reported; all other loads keep their loss", async () => {
  const { made, messages } = await work(chunk);
  assert.deepEqual(
    made.map(({ lossPercent }) => lossPercent),
    [0, ...loads.map(() => 1)],
  );
  assert.equal(messages.filter(({ kind }) => kind === "load").length, loads.length);
});

test("the seed of shared losses depends on the run's seed and the block; in older runs only on the block", async () => {
  const blocks = loads.map((load, i) => ({ ...load, block: i >> 1 }));
  const seeds = async (sharesLosses: LoadChunk["sharesLosses"]) =>
    (await work({ ...chunk, loads: blocks, sharesLosses })).made.slice(1).map(({ lossSeed }) => lossSeed!);
  assert.deepEqual(
    await seeds(true),
    blocks.map(({ block }) => block),
  );
  const [one, other] = [await seeds({ seed: 1 }), await seeds({ seed: 2 })];
  assert.equal(new Set([...one, ...other]).size, loads.length);
  assert.deepEqual([one[0], one[2]], [one[1], one[3]]);
  assert.deepEqual(await seeds({ seed: 1 }), one);
});

test("all loads of a block begin at the same place of a trace, which is computed from the seed", async () => {
  const trace = { name: "x", down: [[60_000, 1]] as [number, number][], up: [[60_000, 1]] as [number, number][] };
  const traced = loads.map(({ condition, ...load }, i) => {
    const settings = { ...condition.settings, link: { ...condition.settings.link, trace } };
    return { ...load, block: i >> 1, condition: { ...condition, settings } };
  });
  const offsets = async (offsetSeed: number) =>
    (await work({ ...chunk, loads: traced, offsetSeed })).made.slice(1).map(({ traceOffsetMs }) => traceOffsetMs!);
  const [one, other] = [await offsets(1), await offsets(2)];
  assert.equal(new Set([...one, ...other]).size, loads.length);
  assert.deepEqual([one[0], one[2]], [one[1], one[3]]);
  assert.deepEqual(await offsets(1), one);
});

test("with background flows all loads of a block begin after the same delay, which is computed from the seed", async () => {
  const beside = loads.map(({ condition, ...load }, i) => {
    const background = { down: 1, up: 0, congestion: "cubic" } as const;
    return { ...load, block: i >> 1, condition: { ...condition, settings: { ...condition.settings, background } } };
  });
  const delays = async (offsetSeed: number) => (await work({ ...chunk, loads: beside, offsetSeed })).drawnMs.slice(1);
  const [one, other] = [await delays(1), await delays(2)];
  assert.equal(new Set([...one, ...other]).size, loads.length);
  assert.deepEqual([one[0], one[2]], [one[1], one[3]]);
  assert.deepEqual(await delays(1), one);
});

test("a client that hangs ends the lane after the load that failed", async () => {
  const { messages } = await work(chunk, 1, 2);
  assert.deepEqual(kinds(messages).slice(3), ["load", "load"]);
});

test("for a chunk without loads, links are measured and the lane is described, but no client is opened", async () => {
  const { steps, messages } = await work({ ...chunk, loads: [] });
  assert.deepEqual(
    [steps, kinds(messages)],
    [
      ["measure", "measure", "describe"],
      ["calibration", "calibration", "lane"],
    ],
  );
});
