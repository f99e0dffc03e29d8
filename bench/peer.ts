import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { max, min } from "simple-statistics";
import { planBlocks } from "../harness/plan/blocks.ts";
import { withLifetime } from "../harness/run/lifetime.ts";
import { openLab } from "../harness/run/open-lab.ts";
import { median } from "../harness/statistics/quantile.ts";
import { ExitCode, LabError } from "../schema/errors.ts";
import { chooseSubstrate } from "../substrate/choose.ts";
import { browsertimeVersion, installBrowsertime } from "./browsertime.ts";
import { benchedConditions, chunkOf } from "./on-lanes.ts";

const defaultLoads = 5;
const benched = ["page=A,C", "servers=1", "link=10x1-100ms-0%", "protocol=h1", "initcwnd=10"];

export type PeerLoad = { page: string; by: string; wallMs: number } & ({ pageLoadMs: number } | { problem: string });

/** Makes the same loads with the lab and with browsertime in turn, from the same servers and through the same link. */
export async function benchPeer({ loads = defaultLoads }: { loads?: number }): Promise<void> {
  const made: PeerLoad[] = [];
  await withLifetime(async (lifetime) => {
    const substrate = chooseSubstrate({ clock: "real", substrate: "netns" });
    await installBrowsertime(lifetime.signal);
    const chunk = chunkOf(planBlocks(benchedConditions(benched), loads, 1));
    await openLab(substrate, Object.keys(chunk.registries.servers), lifetime);
    const folder = mkdtempSync(`${tmpdir()}/lab-bench-`);
    lifetime.onEnd(() => rmSync(folder, { recursive: true }));
    writeFileSync(`${folder}/chunk.json`, JSON.stringify(chunk));
    const command = substrate.commandInside("bench/peer-loads.ts", `${folder}/chunk.json`);
    for await (const load of linesOf(command, lifetime.signal)) {
      made.push(load);
      console.error(`${load.by}, page ${load.page}: ${(load.wallMs / 1000).toFixed(1)} s`);
    }
  });
  report(made);
}

/** @throws LabError if the command ends early; the command prints the reason on stderr */
async function* linesOf([program = "", ...args]: string[], signal: AbortSignal): AsyncGenerator<PeerLoad> {
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "inherit"],
    signal,
    killSignal: "SIGKILL",
  });
  const exit = once(child, "exit") as Promise<[number | null]>;
  exit.catch(() => {});
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line) as PeerLoad;
  const [code] = await exit;
  if (code !== 0) throw new LabError(ExitCode.failed, `the loads ended early (exit code ${code})`);
}

function report(loads: PeerLoad[]): void {
  console.log(`browsertime ${browsertimeVersion}, ${benched.slice(1).join(", ")}\n`);
  console.log("| page | loaded by | loads | wall, median s | page load, median ms | share | (max - min) / median |");
  console.log("| :-- | :-- | --: | --: | --: | --: | --: |");
  for (const page of [...new Set(loads.map((load) => load.page))].sort())
    for (const by of new Set(loads.map((load) => load.by))) {
      const own = loads.flatMap((load) => (load.page === page && load.by === by && "pageLoadMs" in load ? [load] : []));
      if (own.length === 0) continue;
      const [wallMs, timesMs] = [median(own.map((load) => load.wallMs)), own.map(({ pageLoadMs }) => pageLoadMs)];
      const scatter = (100 * (max(timesMs) - min(timesMs))) / median(timesMs);
      console.log(
        `| ${page} | ${by} | ${own.length} | ${(wallMs / 1000).toFixed(1)} | ${median(timesMs).toFixed(0)} | ${(median(timesMs) / wallMs).toFixed(2)} | ${scatter.toFixed(1)}% |`,
      );
    }
  const problems = loads.flatMap((load) => ("problem" in load ? [load.problem] : []));
  if (problems.length)
    throw new LabError(ExitCode.failed, `${problems.length} loads failed, the first: ${problems[0]}`);
}
