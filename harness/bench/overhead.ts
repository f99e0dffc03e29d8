import { max, median } from "simple-statistics";
import { run } from "../../hosts/command.ts";
import type { LoadRecord } from "../../schema/records.ts";
import { planBlocks } from "../plan/blocks.ts";
import { benchedConditions, onOneLane } from "./on-lanes.ts";

const defaultLoads = 5;
const benched = ["page=A", "servers=1", "loss=0%", "initcwnd=3"];

/** How much of a load's wall time is not page load time, and how long a lane takes to start. */
export async function benchOverhead({ loads = defaultLoads }: { loads?: number }): Promise<void> {
  const records: LoadRecord[] = [];
  const start = performance.now();
  let laneStartMs = NaN;
  const linkMs = await onOneLane(planBlocks(benchedConditions(benched), loads, 1), async (messages, substrate) => {
    for await (const message of messages) {
      if (message.kind === "load") records.push(message.load);
      else if (message.kind === "lane") laneStartMs = performance.now() - start;
    }
    return JSON.parse(await run(substrate.commandInside("harness/bench/link.ts"))) as number[];
  });
  console.log(`lane ready after ${Math.round(laneStartMs)} ms, with its warm-up load`);
  console.log(
    `changing the link: median ${median(linkMs).toFixed(0)} ms, longest ${max(linkMs).toFixed(0)} ms of ${linkMs.length}\n`,
  );
  report(records);
}

function report(records: LoadRecord[]): void {
  console.log(
    "| condition | page load, median ms | wall, median ms | overhead, median ms | share |\n| :-- | --: | --: | --: | --: |",
  );
  for (const condition of new Set(records.map((record) => record.condition))) {
    const made = records.flatMap((record) => (record.condition === condition && record.ok ? [record] : []));
    if (made.length === 0) continue;
    const pageLoadMs = median(made.map((load) => load.pageLoadMs));
    const wallMs = median(made.map((load) => load.wallMs));
    const overheadMs = median(made.map((load) => load.wallMs - load.pageLoadMs));
    console.log(
      `| ${condition} | ${pageLoadMs.toFixed(0)} | ${wallMs.toFixed(0)} | ${overheadMs.toFixed(0)} | ${(pageLoadMs / wallMs).toFixed(2)} |`,
    );
  }
  const reasons = records.flatMap((record) => (record.ok ? [] : [record.reason]));
  if (reasons.length) console.log(`\n${reasons.length} loads failed, the first: ${reasons[0]}`);
  const seconds = records.reduce((sum, { wallMs }) => sum + wallMs, 0) / 1000;
  console.log(
    `\n${records.length} loads in ${seconds.toFixed(1)} s: ${Math.round((records.length / seconds) * 3600)} loads an hour`,
  );
}
