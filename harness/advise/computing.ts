/** What the virtual clock does not count: how much longer the page as it is takes on the real clock of this machine. */
import { max, min } from "simple-statistics";
import { readRegistries } from "../../axes/registries.ts";
import { LabError } from "../../schema/errors.ts";
import { readToEnd, recordedLoads } from "../judge/run/judged-loads.ts";
import type { AdvisePlan } from "../plan/advise-plan.ts";
import { conditionOf } from "../plan/conditions.ts";
import { readRun, type SavedRun } from "../record/records.ts";
import { requestOf } from "../run/request.ts";
import { carryOut } from "../run/run.ts";
import { median } from "../statistics/quantile.ts";
import { countedValue, FirstAttempts } from "../tables/counted.ts";
import type { Asking } from "./advise.ts";
import { adviseExperiment, conditionFinder, rowsOf } from "./advise-experiment.ts";
import { adviseMetric } from "./advise-metric.ts";
import { type AdviseReport, sharesOf } from "./advise-report.ts";

/** With six loads, the shortest and the longest enclose the median in 97% of cases. */
const realLoads = 6;

export interface RealRun {
  folder: string;
  /** Link -> the times of its loads. */
  timesMs: ReadonlyMap<string, readonly number[]>;
}

/** An average over all users, by the median, the shortest and the longest load over each link. */
interface Enclosed {
  value: number;
  low: number;
  high: number;
}

export interface Computing {
  folder: string;
  loads: number;
  realMs: Enclosed;
  /** The share of the time on the real clock that the virtual clock does not have. */
  percent: Enclosed;
}

/**
 * Loads the page as it is over each of the users' links on the real clock, in network namespaces.
 * @throws LabError (machineCannot) where this machine has no namespaces; LabError (loadsMissing) if it is too busy
 */
export async function loadOnRealClock({ stack, plan, session, settings, command }: Asking): Promise<RealRun> {
  const registries = readRegistries();
  const { values } = conditionOf({ ...stack, link: plan.users[0]!.link }, registries);
  const { unchanged } = rowsOf(values, new Map());
  const all: Pick<AdvisePlan, "purpose" | "unchanged" | "changes"> = { purpose: "search", unchanged, changes: [] };
  const asked = { command, loads: realLoads, seed: session.seed };
  // Which packets are lost cannot be the same in all loads: netem takes a seed only on the virtual clock's kernel.
  const { sharesLosses: _, ...experiment } = adviseExperiment(
    { ...plan, ...all, session: nowhere(session) },
    stack,
    asked,
    registries,
  );
  const request = await requestOf("computing", experiment, { only: [], with: [], traces: "none" });
  const folder = await carryOut(request, { ...settings, substrate: "netns" });
  return { folder, timesMs: timesIn(readRun(folder), plan, unchanged) };
}

/** Its run is no stage of the advice. */
const nowhere = (session: Asking["session"]): AdvisePlan["session"] => ({
  ...session,
  ...{ stage: 1, usedSeconds: 0, secondsPerLoad: 1 },
});

function timesIn(run: SavedRun, plan: Asking["plan"], unchanged: AdvisePlan["unchanged"]): RealRun["timesMs"] {
  const { manifest, folder } = run;
  const metric = adviseMetric(plan.metric);
  const first = new FirstAttempts<{ attempt: number; value: number }>();
  readToEnd(recordedLoads(run), (load) => {
    const value = countedValue(load, metric.name);
    if (value !== null) first.add(load.condition, load.block, { attempt: load.attempt, value });
  });
  const find = conditionFinder(manifest.experiment, manifest.registries);
  return new Map(
    plan.users.map(({ link }) => {
      const times = [...first.of(find(unchanged, link).id).values()].map(({ value }) => value);
      if (times.length < manifest.loads)
        throw new LabError(1, `${folder}: the page has no ${metric.title} over ${link}`);
      return [link, times];
    }),
  );
}

/** Compares the times on the real clock with those of the advice's fresh loads. null if the page as it is never ended on the virtual clock. */
export function computingOf(
  { plan, estimates }: Pick<AdviseReport, "plan" | "estimates">,
  real: RealRun,
): Computing | null {
  const { value: virtualMs, bound } = estimates.unchangedMs;
  if (virtualMs === null || bound) return null;
  const overAll = (of: (times: number[]) => number) =>
    sharesOf(plan).reduce((sum, { name, share }) => sum + share * of([...real.timesMs.get(name)!]), 0);
  const realMs = { value: overAll(median), low: overAll(min), high: overAll(max) };
  const percentOf = (ms: number) => 100 * (1 - virtualMs / ms);
  const percent = { value: percentOf(realMs.value), low: percentOf(realMs.low), high: percentOf(realMs.high) };
  return { folder: real.folder, loads: realLoads, realMs, percent };
}
