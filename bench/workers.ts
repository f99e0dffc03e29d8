import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { planBlocks } from "../harness/plan/blocks.ts";
import { blockRun } from "../harness/record/find-run.ts";
import { conditionsOfRun } from "../harness/record/manifest.ts";
import { openRecorder } from "../harness/record/recorder.ts";
import { readRun } from "../harness/record/records.ts";
import { withLifetime } from "../harness/run/lifetime.ts";
import { runPlan } from "../harness/run/runner.ts";
import { chunksAtOnce } from "../harness/run/workers/open-remote-lanes.ts";
import { connectQueue, queueName } from "../harness/run/workers/queue.ts";
import { RemoteLanes } from "../harness/run/workers/remote-lanes.ts";
import { nodeCommand, virtualTimeOf } from "../substrate/substrate.ts";
import { QueueServer } from "./chaos/queue-server.ts";

const versions = { guestRoot: "simulated", kernelImage: "simulated", labFiles: "simulated" };
const chunkLoads = 48;
const parts = 4; // rows of the table

/** Makes a run with simulated workers. Prints how many loads per second its coordinator handles, and the coordinator's CPU time and memory. */
export const benchWorkers = ({ workers = 100, blocks = 50 }: { workers?: number; blocks?: number }): Promise<void> =>
  withLifetime(async ({ signal, onEnd }) => {
    const server = await QueueServer.start("simulated");
    onEnd(() => server.end());
    const [program = "", ...words] = nodeCommand("bench/simulated-workers.ts");
    const simulated = spawn(program, [...words, server.address, queueName(versions), String(workers)], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    onEnd(() => simulated.kill());
    const folder = mkdtempSync(`${tmpdir()}/lab-bench-`);
    onEnd(() => rmSync(folder, { recursive: true }));
    const { manifest } = readRun(blockRun);
    const plan = planBlocks(conditionsOfRun(manifest), blocks, 1);
    const redis = await connectQueue(server.address, console.error);
    onEnd(() => redis.disconnect());
    const given = { redis, run: "bench", versions, seed: 1, processingMs: 0, auditedShare: 0, print: console.error };
    const lanes = new RemoteLanes(given);
    onEnd(() => void lanes.close().catch(() => {}));
    const recorder = openRecorder(folder, "none", "each second");
    onEnd(recorder.close);
    console.log("| loads | loads per second | CPU time per load, ms | memory, MiB |\n| --: | --: | --: | --: |");
    let loads = 0;
    let last = { ms: performance.now(), cpu: process.cpuUsage() };
    const missing = await runPlan({
      plan,
      recorded: { loads: [], lanes: [], calibrations: [] },
      signal,
      registries: manifest.registries,
      seed: manifest.seed,
      policy: { links: "hold", atOnce: chunksAtOnce },
      sizes: { loads: chunkLoads, links: 1 },
      timeOf: virtualTimeOf,
      timeoutMs: 1000,
      startLane: lanes.start,
      report: () => {},
      keep(message) {
        recorder.keep(message);
        if (message.kind !== "load" || ++loads % Math.floor(plan.length / parts)) return;
        const [now, { user, system }] = [performance.now(), process.cpuUsage(last.cpu)];
        const partLoads = Math.floor(plan.length / parts);
        const row = [
          loads,
          Math.round((partLoads * 1000) / (now - last.ms)),
          ((user + system) / 1000 / partLoads).toFixed(2),
          Math.round(process.memoryUsage().rss / 2 ** 20),
        ];
        console.log(`| ${row.join(" | ")} |`);
        last = { ms: now, cpu: process.cpuUsage() };
      },
    });
    console.log(`\n${workers} simulated workers; ${missing.length} of ${plan.length} loads missing`);
  });
