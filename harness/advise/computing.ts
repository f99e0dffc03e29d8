/** Measures the time of computing, which the virtual clock leaves out: how much longer the unchanged page takes on the real clock. */
import { max, min } from "simple-statistics";
import { readRegistries } from "../../axes/registries.ts";
import type { AdvisePlan } from "../plan/advise-plan.ts";
import { conditionOf } from "../plan/conditions.ts";
import { readRun } from "../record/records.ts";
import { requestOf } from "../run/request.ts";
import { carryOut } from "../run/run.ts";
import { median } from "../statistics/quantile.ts";
import type { Asking } from "./advise.ts";
import { adviseExperiment, rowsOf } from "./advise-experiment.ts";
import { type AdviseReport, sharesOf } from "./advise-report.ts";
import { stageTimes } from "./stage-times.ts";
import { type Times, unchanged, usersTimes } from "./times.ts";

/** The number of loads on the real clock: the shortest and the longest of six times enclose the true median in 97% of cases. */
const realLoads = 6;

export interface RealRun {
  folder: string;
  /** The times of the unchanged page. */
  times: Times;
}

/** The median, the shortest and the longest of the blocks' times, which are averages over all users. */
interface Enclosed {
  value: number;
  low: number;
  high: number;
}

export interface Computing {
  folder: string;
  loads: number;
  realMs: Enclosed;
  /** The share of the time on the real clock that the virtual clock does not count, in percent. */
  percent: Enclosed;
}

/** Loads the unchanged page. @throws LabError (machineCannot) without network namespaces; LabError (loadsMissing) if the machine is too busy */
export async function loadOnRealClock({ stack, plan, session, settings, command }: Asking): Promise<RealRun> {
  const registries = readRegistries();
  const { values } = conditionOf({ ...stack, link: plan.users[0]!.link }, registries);
  const only: Omit<AdvisePlan, "session"> = {
    ...plan,
    ...{ purpose: "search", unchanged: rowsOf(values, new Map()).unchanged, changes: [] },
  };
  const asked = { command, loads: realLoads, seed: session.seed };
  // On the real clock, loads cannot share their lost packets: only netem of the virtual clock's kernel accepts a seed.
  const { sharesLosses: _, ...experiment } = adviseExperiment(only, stack, asked, registries);
  const request = await requestOf("computing", experiment, { only: [], with: [], traces: "none" });
  const folder = await carryOut(request, { ...settings, substrate: "netns" });
  return { folder, times: stageTimes(readRun(folder), only).times };
}

/** @returns null if so many loads of the unchanged page never ended on the virtual clock that their median is unknown */
export function computingOf(
  { plan, estimates }: Pick<AdviseReport, "plan" | "estimates">,
  { folder, times }: RealRun,
): Computing | null {
  const { value: virtualMs, bound } = estimates.unchangedMs;
  if (virtualMs === null || bound) return null;
  const ms = [...usersTimes(times, sharesOf(plan)).get(unchanged)!.values()];
  const realMs = { value: median(ms), low: min(ms), high: max(ms) };
  const percentOf = (one: number) => 100 * (1 - virtualMs / one);
  const percent = { value: percentOf(realMs.value), low: percentOf(realMs.low), high: percentOf(realMs.high) };
  return { folder, loads: realLoads, realMs, percent };
}
