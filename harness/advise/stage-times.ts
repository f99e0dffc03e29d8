/** Reads what the loads of a run of `./lab advise` show about the unchanged page (key ""), and about the page with each change. */
import { learntOf, learntWindowOf } from "../../axes/expected.ts";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import type { Condition } from "../../schema/plan.ts";
import { readToEnd, recordedLoads } from "../judge/run/judged-loads.ts";
import type { AdvisePlan } from "../plan/advise-plan.ts";
import { leftOutOf, type Manifest } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { countedValue, FirstAttempts } from "../tables/counted.ts";
import { verdictOf } from "../verify/verdict.ts";
import { adviseName, conditionFinder } from "./advise-experiment.ts";
import { adviseMetric } from "./advise-metric.ts";
import type { Shown } from "./broken.ts";
import { type Times, unchanged } from "./times.ts";

export interface StageTimes {
  /** The times of the unchanged page, and of the changes that have all of their loads. */
  times: Times;
  shown: ReadonlyMap<string, Shown>;
  /** Change -> the reason, for changes that lack loads. */
  unmeasured: ReadonlyMap<string, string>;
  digest: string;
}

export function planOf({ advise, name }: Pick<Manifest, "advise" | "name">, folder: string): AdvisePlan {
  if (advise) return advise;
  throw usageError(`${folder} is a run of ${name}, not of ./lab ${adviseName}`);
}

/** The parts of the plan that define a run's loads. */
export type LoadedPlan = Pick<AdvisePlan, "users" | "metric" | "unchanged" | "changes">;

/** @throws LabError if loads are invalid, or if the unchanged page lacks loads, so nothing can be compared with it */
export function stageTimes(run: SavedRun, plan: LoadedPlan = planOf(run.manifest, run.folder)): StageTimes {
  const { manifest, folder } = run;
  const metric = adviseMetric(plan.metric);
  const first = new FirstAttempts<{ attempt: number; value: number }>();
  const without = new Set<string>();
  const evidence = new Map<string, Shown["evidence"][number][]>();
  const verdict = readToEnd(recordedLoads(run), (load) => {
    const { condition, block, attempt } = load;
    const value = countedValue(load, metric.name);
    if (value === null && load.observed === "time") without.add(condition);
    if (value === null) return;
    first.add(condition, block, { attempt, value });
    const own = load.record().evidence;
    if (own) evidence.set(condition, [...(evidence.get(condition) ?? []), own]);
  });
  const { exitCode, sentence } = verdictOf(verdict);
  if (exitCode !== ExitCode.done && exitCode !== ExitCode.loadsMissing)
    throw new LabError(exitCode, `${folder}: ${sentence}`);
  const find = conditionFinder(manifest.experiment, manifest.registries);
  const leftOut = new Map(leftOutOf(manifest).map(({ condition, reason }) => [condition.id, reason]));
  const times = new Map<string, ReadonlyMap<string, ReadonlyMap<number, number>>>();
  const [shown, unmeasured] = [new Map<string, Shown>(), new Map<string, string>()];
  for (const { name, row } of [{ name: unchanged, row: plan.unchanged }, ...plan.changes]) {
    const over = plan.users.map(({ link }): [string, Condition] => [link, find(row, link)]);
    const byLink = new Map(over.map(([link, { id }]) => [link, valuesOf(first.of(id))]));
    const reason = over.map(([, { id }]) => leftOut.get(id)).find((one) => one !== undefined);
    const isWhole = [...byLink.values()].every(({ size }) => size === manifest.loads);
    if (isWhole) times.set(name, byLink);
    else if (over.some(([, { id }]) => without.has(id))) unmeasured.set(name, `the page has no ${metric.title}`);
    else unmeasured.set(name, reason ?? "its loads differ from each other, or failed");
    const [, { values }] = over[0]!;
    shown.set(name, {
      learnt: learntOf(values, manifest.registries) ?? [],
      window: learntWindowOf(values, manifest.registries),
      evidence: over.flatMap(([, { id }]) => evidence.get(id) ?? []),
    });
  }
  if (!times.has(unchanged)) throw new LabError(ExitCode.failed, `${folder}: ${unmeasured.get(unchanged)}`);
  return { times, shown, unmeasured, digest: verdict.digest };
}

const valuesOf = (kept: ReadonlyMap<number, { value: number }>): Map<number, number> =>
  new Map([...kept].map(([block, { value }]) => [block, value]));
