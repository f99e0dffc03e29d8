import { max, sum } from "simple-statistics";
import { planBlocks } from "../harness/plan/blocks.ts";
import { median } from "../harness/statistics/quantile.ts";
import { run } from "../hosts/command.ts";
import type { LoadRecord } from "../schema/records.ts";
import { benchedConditions, onLanes } from "./on-lanes.ts";

/** A sixth of a block. These loads take two to three minutes. */
const defaultLoads = 48;

/** Measures how much of the loads' wall time is not page load time. @param loads how many loads of a block to make, in planned order */
export async function benchOverhead({ loads = defaultLoads }: { loads?: number }): Promise<void> {
  const records: LoadRecord[] = [];
  const start = performance.now();
  let laneStartMs = NaN;
  const plan = planBlocks(benchedConditions([]), 1, 1).slice(0, loads);
  const [linkMs = []] = await onLanes({ clock: "real", lanes: 1 }, plan, async (messages, substrate) => {
    for await (const message of messages) {
      if (message.kind === "load") records.push(message.load);
      else if (message.kind === "lane") laneStartMs = performance.now() - start;
    }
    return JSON.parse(await run(substrate.commandInside("bench/link.ts"))) as number[];
  });
  console.log(`lane ready after ${Math.round(laneStartMs)} ms, not counting its warm-up load`);
  console.log(
    `changing the link: median ${median(linkMs).toFixed(0)} ms, longest ${max(linkMs).toFixed(0)} ms of ${linkMs.length}\n`,
  );
  report(records);
}

interface TimedLoad {
  kind: string;
  pageLoadMs: number;
  /** From a load's start to the next load's start: all the time that a run spends on the load. */
  wallMs: number;
}

function report(records: LoadRecord[]): void {
  const startsMs = records.map(({ startedAt }) => Date.parse(startedAt));
  const made = records.slice(0, -1).flatMap((load, i): TimedLoad[] => {
    if (!load.ok) return [];
    const kind = `page ${load.page}, ${load.servers} ${load.servers === 1 ? "server" : "servers"}`;
    return [{ kind, pageLoadMs: load.pageLoadMs, wallMs: startsMs[i + 1]! - startsMs[i]! }];
  });
  console.log(
    "| loads of | number | page load, median ms | overhead, median ms | page load / wall time |\n| :-- | --: | --: | --: | --: |",
  );
  const kinds = [...new Set(made.map(({ kind }) => kind))].sort();
  for (const kind of kinds)
    console.log(
      row(
        kind,
        made.filter((load) => load.kind === kind),
      ),
    );
  if (made.length) console.log(row("all", made));
  const reasons = records.flatMap((record) => (record.ok ? [] : [record.reason]));
  if (reasons.length) console.log(`\n${reasons.length} loads failed, the first: ${reasons[0]}`);
}

function row(kind: string, loads: TimedLoad[]): string {
  const [pageMs, wallMs] = [loads.map(({ pageLoadMs }) => pageLoadMs), loads.map((load) => load.wallMs)];
  const overheadMs = median(loads.map((load) => load.wallMs - load.pageLoadMs));
  return `| ${kind} | ${loads.length} | ${median(pageMs).toFixed(0)} | ${overheadMs.toFixed(0)} | ${(sum(pageMs) / sum(wallMs)).toFixed(2)} |`;
}
