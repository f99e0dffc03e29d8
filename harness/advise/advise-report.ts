/** Computes the result of `./lab advise` from the saved run with the fresh loads, and from nothing else. */
import { usageError } from "../../schema/errors.ts";
import type { AdvisePlan } from "../plan/advise-plan.ts";
import type { SavedRun } from "../record/records.ts";
import { adviseName } from "./advise-experiment.ts";
import { adviseMetric } from "./advise-metric.ts";
import { type FinalEstimates, finalEstimates } from "./final-estimates.ts";
import { planOf, stageTimes } from "./stage-times.ts";
import type { SharedLink, Times } from "./times.ts";

export interface AdviseReport {
  plan: AdvisePlan;
  metricTitle: string;
  /** The command, without the changes and the number of loads. */
  command: string;
  /** `estimates` has the changes that keep the whole page, `costs` the changes that leave out a part. In each of the two, all intervals hold jointly. */
  estimates: FinalEstimates;
  costs: FinalEstimates;
  /** Change -> the reason, for planned changes that lack loads. */
  unmeasured: ReadonlyMap<string, string>;
  loads: number;
  seed: number;
  folder: string;
  digest: string;
}

export const sharesOf = ({ users }: Pick<AdvisePlan, "users">): SharedLink[] =>
  users.map(({ link, percent }) => ({ name: link, share: percent / 100 }));

/** Whether the search, if any, left out no change that may be the best, and every change that keeps the whole page was measured. */
export const allAreKnown = ({ search, changes }: Pick<AdvisePlan, "search" | "changes">, times: Times): boolean =>
  (search?.isSure ?? true) && changes.every(({ name, leavesOut }) => leavesOut || times.has(name));

/** @throws LabError (usage) if the run's loads were only used to choose changes; LabError if loads are invalid */
export function adviseReport(run: SavedRun): AdviseReport {
  const { manifest, folder } = run;
  const plan = planOf(manifest, folder);
  if (plan.purpose === "search")
    throw usageError(
      `the loads of ${folder} were used to choose changes, so they overstate savings; ./lab ${adviseName} prints savings from fresh loads`,
    );
  const { times, unmeasured, digest } = stageTimes(run);
  const measured = plan.changes.filter(({ name }) => times.has(name));
  const isSure = allAreKnown(plan, times);
  const estimatesOf = (changes: typeof measured) =>
    finalEstimates({
      ...{ times, changes: changes.map(({ name }) => name), links: sharesOf(plan), isSure },
      timeoutMs: manifest.timeoutSeconds * 1000,
    });
  return {
    plan,
    metricTitle: adviseMetric(plan.metric).title,
    command: manifest.experiment.source,
    estimates: estimatesOf(measured.filter((one) => !one.leavesOut)),
    costs: estimatesOf(measured.filter((one) => one.leavesOut)),
    unmeasured,
    loads: manifest.loads,
    seed: plan.session.seed, // the run's own seed is derived from it
    folder,
    digest,
  };
}
