import { max, min } from "simple-statistics";
import { planBlocks } from "../harness/plan/blocks.ts";
import { median } from "../harness/statistics/quantile.ts";
import type { LaneMessage } from "../schema/lane-messages.ts";
import type { PlannedLoad } from "../schema/plan.ts";
import type { LoadRecord } from "../schema/records.ts";
import { autoLanes } from "../substrate/guest/requirements.ts";
import { benchedConditions, onLanes } from "./on-lanes.ts";

const defaultLoads = 4;
const benched = ["page=A,C", "servers=1", "link=20x2-20ms-0%,10x1-100ms-1%", "initcwnd=10"];

/** A load, and its duration by this machine's clock. */
interface TimedLoad {
  load: LoadRecord;
  wallMs: number;
}

/** Times the same loads on both clocks with one lane. On the virtual clock, it also times them with two lanes and with one lane per core. */
export async function benchClocks({ loads = defaultLoads }: { loads?: number }): Promise<void> {
  const plan = planBlocks(benchedConditions(benched), loads, 1);
  const counts = [...new Set([1, Math.min(2, autoLanes()), autoLanes()])];
  const setups = [
    { clock: "real" as const, lanes: 1 },
    ...counts.map((lanes) => ({ clock: "virtual" as const, lanes })),
  ];
  const byClock = new Map<string, TimedLoad[]>();
  console.log(
    "| clock | lanes | start of a lane, s | loads per hour | one load, median s |\n| :-- | --: | --: | --: | --: |",
  );
  for (const setup of setups) {
    const lanes = await onLanes(setup, plan, timeLoads);
    const timed = lanes.flatMap(({ made }) => made);
    const hours = max(lanes.map(({ made }) => made.reduce((sum, { wallMs }) => sum + wallMs, 0))) / 3_600_000;
    console.log(
      `| ${setup.clock} | ${setup.lanes} | ${seconds(median(lanes.map(({ startMs }) => startMs)))} | ${Math.round(timed.length / hours)} | ${seconds(median(timed.map(({ wallMs }) => wallMs)))} |`,
    );
    if (setup.lanes === 1) byClock.set(setup.clock, timed);
  }
  reportConditions(plan, byClock);
}

async function timeLoads(messages: AsyncIterable<LaneMessage>): Promise<{ startMs: number; made: TimedLoad[] }> {
  const start = performance.now();
  let before = start;
  let startMs = NaN;
  const made: TimedLoad[] = [];
  for await (const message of messages) {
    const now = performance.now();
    if (message.kind === "load") made.push({ load: message.load, wallMs: now - before });
    else startMs = now - start;
    before = now;
  }
  return { startMs, made };
}

function reportConditions(plan: PlannedLoad[], byClock: Map<string, TimedLoad[]>): void {
  console.log(
    "\n| condition | clock | one load, median s | page load, median ms | (max - min) / median |\n| :-- | :-- | --: | --: | --: |",
  );
  for (const id of [...new Set(plan.map(({ condition }) => condition.id))].sort())
    for (const [clock, timed] of byClock) {
      const own = timed.filter(({ load }) => load.condition === id);
      const timesMs = own.flatMap(({ load }) => (load.ok ? [load.pageLoadMs] : []));
      if (timesMs.length === 0) continue;
      const spread = (100 * (max(timesMs) - min(timesMs))) / median(timesMs);
      console.log(
        `| ${id} | ${clock} | ${seconds(median(own.map(({ wallMs }) => wallMs)))} | ${median(timesMs).toFixed(0)} | ${spread.toFixed(1)}% |`,
      );
    }
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);
