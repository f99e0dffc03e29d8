import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { max, median } from "simple-statistics";
import { run } from "../command.ts";
import { ExitCode, LabError } from "../errors.ts";
import { conditionsOf, readExperiment } from "../experiment.ts";
import { laneProcesses } from "../lane-process.ts";
import { lockLab } from "../lock.ts";
import type { LoadRecord } from "../model.ts";
import { planBlocks, select } from "../plan.ts";
import { chooseSubstrate } from "../substrate/choose.ts";

const defaultLoads = 5;
const benched = ["page=A", "servers=1", "loss=0%", "initcwnd=3"];

/** The lab's own cost: how much of a load's wall time is page load, and what a lane takes to start. */
export async function bench({ loads = defaultLoads }: { loads?: number }): Promise<void> {
  const substrate = await chooseSubstrate();
  const release = await lockLab(substrate.lockPath);
  const stop = new AbortController();
  const letGo = await substrate.open((message) => stop.abort(new LabError(ExitCode.failed, message)));
  const folder = mkdtempSync(`${tmpdir()}/lab-bench-`);
  const records: LoadRecord[] = [];
  const start = performance.now();
  let laneStartMs = NaN;
  let linkMs: number[] = [];
  try {
    const plan = planBlocks(select(conditionsOf(readExperiment("spdy-initcwnd")), benched), loads, 1);
    for await (const message of laneProcesses(substrate, folder)({ calibrate: [], loads: plan, timeoutMs: 120_000 }, stop.signal)) {
      if ("load" in message) records.push(message.load);
      else if ("environment" in message) laneStartMs = performance.now() - start;
    }
    stop.signal.throwIfAborted();
    linkMs = JSON.parse(await run(substrate.commandInside("harness/bench-link.ts"))) as number[];
  } finally {
    rmSync(folder, { recursive: true });
    letGo();
    release();
  }
  console.log(`lane ready after ${Math.round(laneStartMs)} ms, with its warm-up load`);
  console.log(`changing the link: median ${median(linkMs).toFixed(0)} ms, longest ${max(linkMs).toFixed(0)} ms of ${linkMs.length}\n`);
  report(records);
}

function report(records: LoadRecord[]): void {
  console.log("| condition | page load, median ms | wall, median ms | overhead, median ms | share |\n| :-- | --: | --: | --: | --: |");
  for (const condition of new Set(records.map((record) => record.condition))) {
    const made = records.flatMap((record) => (record.condition === condition && record.ok ? [record] : []));
    if (made.length === 0) continue;
    const pageLoadMs = median(made.map((load) => load.pageLoadMs));
    const wallMs = median(made.map((load) => load.wallMs));
    const overheadMs = median(made.map((load) => load.wallMs - load.pageLoadMs));
    console.log(`| ${condition} | ${pageLoadMs.toFixed(0)} | ${wallMs.toFixed(0)} | ${overheadMs.toFixed(0)} | ${(pageLoadMs / wallMs).toFixed(2)} |`);
  }
  const seconds = records.reduce((sum, { wallMs }) => sum + wallMs, 0) / 1000;
  console.log(`\n${records.length} loads in ${seconds.toFixed(1)} s: ${Math.round((records.length / seconds) * 3600)} loads an hour`);
}
