import { ExitCode, LabError } from "../../schema/errors.ts";
import type { Condition, PlannedLoad } from "../../schema/plan.ts";
import { makePrograms } from "../../servers/made.ts";
import { chooseSubstrate } from "../../substrate/choose.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import { planBlocks } from "../plan/blocks.ts";
import { readExperiment } from "../plan/experiment.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import { createRun, type RunRequest } from "../record/run-folder.ts";
import { learnPages } from "../run/learn.ts";
import { lockLab } from "../run/lock.ts";
import { refuseUnsettable } from "../run/refuse.ts";
import { refuseClients } from "../run/refuse-clients.ts";
import { refusePages } from "../run/refuse-pages.ts";
import { refuseServers } from "../run/refuse-servers.ts";
import { captureLoads } from "./capture.ts";
import { makeLoads, type Opened } from "./make-loads.ts";
import { type Progress, type Standing, startProgress } from "./progress.ts";
import { type RunOptions, requestOf, resume } from "./request.ts";

export async function run(name: string, options: RunOptions): Promise<void> {
  const resumed = options.resume && resume(options);
  if (resumed) await carryOut(resumed.manifest, options, { resumed });
  else await carryOut(await requestOf(name, readExperiment(name), options), options);
}

/** How a run is shown, where it is not as all are. */
interface Showing {
  resumed?: Opened;
  begin?: (standing: Standing, manifest: Manifest) => Progress;
  /** It has ended, however it did. */
  end?: (folder: string) => void;
}

/** Make a run's loads. @param asked what its manifest says, or will say */
export async function carryOut(
  asked: RunRequest,
  options: Pick<RunOptions, "dryRun" | "substrate" | "lanes" | "capture">,
  { resumed, begin = (standing) => startProgress(standing), end = () => {} }: Showing = {},
): Promise<void> {
  const conditions = conditionsOfRun(asked);
  const plan = planBlocks(conditions, asked.loads, asked.seed);
  if (options.dryRun) return print(plan);
  refusePages(conditions);
  const { clock, processingMs } = asked;
  const substrate = await chooseSubstrate({
    ...options,
    clock,
    ...(processingMs === undefined ? {} : { processingMs }),
  });
  refuseUnsettable(conditions, asked.registries, substrate);
  refuseClients(conditions);
  if (substrate.name !== "compose") await refuseServers(conditions); // its servers have an image of their own
  await makePrograms(conditions.map(({ settings }) => settings.server.software));
  const release = await lockLab(substrate.lockPath);
  const stop = new AbortController();
  const letGo = await substrate.open((message) => stop.abort(new LabError(ExitCode.failed, message)));
  try {
    abortOnSignals(stop);
    const opened = resumed ?? createRun(await learnt(asked, conditions, substrate, stop.signal));
    const { signal } = stop;
    const making = async () => {
      await makeLoads(opened, { plan, conditions, substrate, signal, begin });
      if (options.capture) await captureLoads(opened, { conditions, substrate, signal });
    };
    await making().finally(() => end(opened.folder));
  } finally {
    letGo();
    release();
  }
}

/** The request, with what imported pages ask for. */
async function learnt(
  asked: RunRequest,
  conditions: Condition[],
  substrate: Substrate,
  signal: AbortSignal,
): Promise<RunRequest> {
  const { registries, seed, timeoutSeconds } = asked;
  const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);
  const options = { conditions, registries, seed, timeoutMs: timeoutSeconds * 1000, signal, say };
  return { ...asked, registries: await learnPages(substrate, options) };
}

function print(loads: PlannedLoad[]): void {
  for (const { block, condition } of loads) console.log(`${block}\t${condition.id}`);
}

/** Ctrl-C, and what ends services. */
function abortOnSignals(stop: AbortController): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => stop.abort(new LabError(ExitCode.interrupted, `stopped by ${signal}`)));
}
