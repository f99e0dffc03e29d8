/** Computes the answer of a `why` run from the run's saved files alone. */
import { labelOf } from "../../axes/axis.ts";
import { axisNamed } from "../../axes/registry.ts";
import { usageError } from "../../schema/errors.ts";
import type { Condition } from "../../schema/plan.ts";
import { counted } from "../../schema/words.ts";
import { explainedLoads } from "../explain/explained.ts";
import { type Part, type PartsMs, partsOf } from "../explain/parts.ts";
import { JudgedRun } from "../judge/run/judged-loads.ts";
import type { RunVerdict } from "../judge/run/run-verdict.ts";
import { conditionOf } from "../plan/conditions.ts";
import { type Removed, rowOf, type WhyPlan } from "../plan/why-plan.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { resampleBlocks, tooFewBlocks } from "../statistics/resample.ts";
import { parseStatistic } from "../statistics/statistic.ts";
import { countLoads, type Sample } from "../tables/counted.ts";
import { modesOf, repeatedSegments } from "../tables/modes.ts";
import { estimatesOf } from "./estimates.ts";
import { causeNamed } from "./registry.ts";
import { whyName } from "./why-experiment.ts";

const median = parseStatistic("median")!;

export type WhyReport = ReturnType<typeof whyReport>;

/** @throws LabError (usage) if the run is not of ./lab why, is not complete, or has loads without a time */
export function whyReport(run: SavedRun) {
  const { manifest, folder } = run;
  const plan = planOf(manifest, folder);
  const conditionAt = finderOf(manifest, plan);
  const judged = new JudgedRun(run);
  const conditions = conditionsOfRun(manifest);
  const { samples, counts } = countLoads(judged, {
    conditions,
    loadsPerCondition: manifest.loads,
    metric: manifest.experiment.metric,
    timeoutMs: manifest.timeoutSeconds * 1000,
    neverConfirmed: judged.neverConfirmed,
  });
  for (const sample of samples) refuseGaps(sample, manifest, folder);
  const byId = new Map(samples.map((sample) => [sample.condition.id, sample]));
  const resamples = resampleBlocks(samples.flatMap(({ byBlock }) => [...byBlock.keys()]));
  const medianAt = (index: 0 | 1, removed: Removed): Estimate => {
    const { id } = conditionAt(index, removed);
    const sample = byId.get(id);
    if (!sample) throw usageError(`${folder} has no condition ${id}, which the run's plan names: run.json was changed`);
    return median.estimate([sample], resamples);
  };
  const compared = axisNamed(plan.compared, whyName);
  const path = pathDifferences(run, [conditionAt(0, 0), conditionAt(1, 0)]);
  const verdict = judged.verdict();
  return {
    title: manifest.experiment.title,
    /** The command that repeats these loads. */
    command: manifest.experiment.source,
    plan,
    sides: plan.sides.map((value) => labelOf(compared, value as never)) as [string, string],
    loads: counts.loads,
    flaggedLoads: counts.flagged,
    blocks: counts.blocks,
    noIntervals: tooFewBlocks(counts.blocks),
    estimates: estimatesOf(plan, (removed) => [medianAt(0, removed), medianAt(1, removed)]),
    /** The difference that `./lab explain` attributes to each cause, from one load of each side; null if these loads cannot be explained. */
    pathMs:
      path && Object.fromEntries(plan.causes.map(({ name }) => [name, sumOf(path, causeNamed(name, folder).parts)])),
    notShown: notShownIn(plan, verdict, conditions.length),
    /** Conditions whose times fall into separate groups. `side` is null unless the condition is a side with all causes. */
    modes: modesOf(samples, repeatedSegments(run)).map((one) => ({
      ...one,
      side: ([0, 1] as const).find((index) => conditionAt(index, 0).id === one.condition) ?? null,
    })),
    digest: verdict.digest,
  };
}

export function planOf({ why, name }: Pick<Manifest, "why" | "name">, folder: string): WhyPlan {
  if (why) return why;
  throw usageError(`${folder} is a run of ${name}, not of ./lab ${whyName}`);
}

function finderOf({ registries }: Manifest, plan: WhyPlan) {
  const { compared, sides, fixed } = plan;
  const own = sides.map((value) => conditionOf({ ...fixed, [compared]: value }, registries).values);
  return (index: 0 | 1, removed: Removed): Condition =>
    conditionOf({ ...fixed, ...rowOf(plan, own[index]!, index, removed) }, registries);
}

/** Refuses a run in which loads lack a time, because shares need all times. A lower bound is not a time. */
function refuseGaps(
  { condition: { id }, byBlock, planned }: Sample,
  { timeoutSeconds }: Manifest,
  folder: string,
): void {
  if (byBlock.size < planned)
    throw usageError(
      `${folder} is not complete: ${id} has ${byBlock.size} of ${counted(planned, "load")}; ./lab ${whyName} --resume ${folder} makes the missing loads`,
    );
  const endless = [...byBlock.values()].filter((ms) => ms === Infinity).length;
  if (endless > 0)
    throw usageError(
      `${endless} of ${counted(planned, "load")} of ${id} have only a lower bound of their time (the time-out of ${timeoutSeconds} s, or what the evidence shows); shares need all times: give a longer --timeout`,
    );
}

/** Finds for each cause the axes whose values no load confirms in some conditions, and counts these conditions. */
function notShownIn(plan: WhyPlan, { axes, neverConfirmed }: RunVerdict, all: number) {
  return plan.causes.flatMap(({ name, removed }) =>
    Object.keys(removed).flatMap((axis) => {
      const isNeverShown = axes.some((one) => one.axis === axis && one.confirmed === 0);
      const conditions = isNeverShown ? all : neverConfirmed.filter((one) => one.axis === axis).length;
      return conditions > 0 ? [{ name, axis, conditions }] : [];
    }),
  );
}

/** For each part of the critical path, computes how much longer the part is in the second side's load than in the first side's load. */
function pathDifferences(run: SavedRun, [first, second]: [Condition, Condition]): PartsMs | null {
  const ids = [first.id, second.id];
  const explained = new Map<string, PartsMs>();
  for (const { condition, account } of explainedLoads(run, (load) => ids.includes(load.condition)))
    if (account && !explained.has(condition.id)) explained.set(condition.id, account.parts);
  const [from, to] = ids.map((id) => explained.get(id));
  return from && to ? partsOf((part) => to[part] - from[part]) : null;
}

const sumOf = (all: PartsMs, parts: readonly Part[]): number => parts.reduce((sum, part) => sum + all[part], 0);
