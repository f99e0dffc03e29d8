import { withLifetime } from "../harness/run/lifetime.ts";
import { ExitCode, LabError } from "../schema/errors.ts";
import { chaos } from "./chaos/chaos.ts";
import { workersChaos } from "./chaos/workers-chaos.ts";

const conditionCount = 2; // h1 and h2
const conditions = ["--only", "page=A", "--only", "servers=1", "--only", "link=20x2-20ms-0%", "--only", "initcwnd=3"];
/** The run has at least this many loads for each kill, so that it does not end before the last kill. */
const loadsPerKill = 3;
const loadsPerKillOfWorkers = 15;
const matrixConditions = 288;

interface ChaosOptions {
  kills: number;
  seed?: number;
  workers?: true;
}

/** Kills parts of the lab at random moments, with kill -9. The run must still record each load exactly once, and leave nothing behind. */
export async function benchChaos({ kills, seed = Date.now() % 2 ** 32, workers }: ChaosOptions): Promise<void> {
  if (workers) return benchWorkersChaos(kills, seed);
  const blocks = Math.ceil((kills * loadsPerKill) / conditionCount);
  const words = ["--loads", String(blocks), ...conditions];
  const result = await withLifetime((lifetime) => chaos(words, kills, seed, console.error, lifetime));
  console.log(`| killed | times |\n| :-- | --: |`);
  for (const [part, times] of Object.entries(result.kills)) console.log(`| ${part} | ${times} |`);
  console.log(
    `\nseed ${seed}: ${kills} kills in ${(result.seconds / 60).toFixed(0)} min; resumed ${result.resumed} times; ` +
      `${result.recordedLoads} of ${blocks * conditionCount} loads recorded, each once, ${result.failedAttempts} failed attempts; ${result.problems.length} problems`,
  );
  if (result.problems.length) throw new LabError(ExitCode.failed, result.problems.join("\n"));
}

/** Kills parts of a run on the virtual clock for which workers make the loads. The run's digest must equal that of a run on local lanes. */
async function benchWorkersChaos(kills: number, seed: number): Promise<void> {
  const blocks = Math.ceil((kills * loadsPerKillOfWorkers) / matrixConditions);
  const words = ["--clock", "virtual", "--traces", "none", "--loads", String(blocks)];
  const { blows, digests, missing, left } = await withLifetime((lifetime) =>
    workersChaos(words, kills, seed, console.error, lifetime),
  );
  console.log(`| what happened | times |\n| :-- | --: |`);
  for (const [what, times] of Object.entries(blows)) console.log(`| ${what} | ${times} |`);
  const [local, made] = digests;
  console.log(
    `\nseed ${seed}: digest of the run on local lanes ${local}, on workers ${made}; ${missing} loads missing`,
  );
  const happened = Object.values(blows).reduce((sum, times) => sum + times, 0);
  const problems = [
    ...(happened === kills ? [] : [`the run was complete after only ${happened} of ${kills} kills`]),
    ...(local === made ? [] : ["the digests differ"]),
    ...left.map((command) => `left behind: process ${command.slice(0, 80)}`),
  ];
  if (problems.length) throw new LabError(ExitCode.failed, problems.join("\n"));
}
