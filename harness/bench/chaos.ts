import { ExitCode, LabError } from "../../schema/errors.ts";
import { chaos } from "./chaos/chaos.ts";

const conditionCount = 2; // h1 and h2
const conditions = ["--only", "page=A", "--only", "servers=1", "--only", "link=20x2-20ms-0%", "--only", "initcwnd=3"];
/** The run has so many loads for each kill, so that it does not end before the last kill. */
const loadsPerKill = 3;

/** Kills parts of the lab at random moments, with kill -9. The run must still make each load once, and leave nothing behind. */
export async function benchChaos({
  kills,
  seed = Date.now() % 2 ** 32,
}: {
  kills: number;
  seed?: number;
}): Promise<void> {
  const blocks = Math.ceil((kills * loadsPerKill) / conditionCount);
  const result = await chaos(["--loads", String(blocks), ...conditions], kills, seed, (text) => console.error(text));
  console.log(`| killed | times |\n| :-- | --: |`);
  for (const [part, times] of Object.entries(result.kills)) console.log(`| ${part} | ${times} |`);
  console.log(
    `\nseed ${seed}: ${kills} kills in ${(result.seconds / 60).toFixed(0)} min; resumed ${result.resumed} times; ` +
      `${result.recordedLoads} of ${blocks * conditionCount} loads recorded, each once, ${result.failedAttempts} failed attempts; ${result.problems.length} problems`,
  );
  if (result.problems.length) throw new LabError(ExitCode.failed, result.problems.join("\n"));
}
