import { axes } from "../../axes/registry.ts";
import { usageError } from "../../schema/errors.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import { type ExplainedLoad, explainedLoads } from "../explain/explained.ts";
import { changesBetween, kindNames } from "../explain/interventions.ts";
import { isReplayed } from "../explain/replay/world.ts";
import { conditionOf, conditionsOf } from "../plan/conditions.ts";
import { replace } from "../plan/select.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { predictedMarkdown, predictedOf } from "../report/explain/predicted.ts";
import { readTested } from "../report/explain/tested.ts";

export interface PredictOptions {
  like: string;
  with: string[];
}

/** Conditions that were not measured, foretold from one that was. */
export function predict(name: string | undefined, { like, with: replacements }: PredictOptions): void {
  const { folder, manifest } = openRun(name);
  const from = conditionsOfRun(manifest).find(({ id }) => id === like);
  if (!from)
    throw usageError(`--like ${like}: ${folder} has no such condition; ./lab explain ${folder} lists those it has`);
  const [load] = explainedLoads(readSavedRun(folder, manifest), ({ condition }) => condition === like);
  if (!load)
    throw usageError(
      `--like ${like}: no load of it in ${folder} has a trace: it was made with --traces none, or none has counted`,
    );
  const predicted = asked(from, replacements, manifest.registries).map((to) => {
    const one = predictedOf(load as ExplainedLoad, to);
    if (typeof one === "string") throw usageError(`${to.id} cannot be foretold from ${like}: ${one}`);
    return one;
  });
  process.stdout.write(predictedMarkdown(load, predicted, readTested()));
}

/** @throws LabError (usage) that names what is not foretold */
export function asked(from: Condition, replacements: readonly string[], registries: Registries): Condition[] {
  if (replacements.length === 0) throw usageError("say what is to differ, as in --with rtt=50ms");
  const own = axes.map(({ name }) => [name, [from.values[name]!]] as const);
  const conditions = conditionsOf(replace({ axes: Object.fromEntries(own) }, replacements), registries);
  for (const { id, values, settings } of conditions) {
    const others = axes
      .map(({ name }) => name)
      .filter((name) => values[name] !== from.values[name])
      .filter((name) => !isForetold(from, name, values[name]!, registries));
    if (others.length || !changesBetween(from.settings, settings).alone)
      throw usageError(
        `${id} cannot be foretold: another ${others.join(", ") || "setting"} changes what programs do, or rules that are not replayed; only ${kindNames.join(", ")} may differ. Measure it: ./lab run with the same --with`,
      );
    if (!isReplayed(settings))
      throw usageError(
        `${id} cannot be foretold: what is replayed are CUBIC's rules on a link without jitter and with a drop-tail queue`,
      );
  }
  return conditions;
}

/** Whether this alone leaves all as it was that no replay changes; what cannot stand alone does not. */
function isForetold(from: Condition, axis: string, value: string | number, registries: Registries): boolean {
  const own = Object.fromEntries(axes.map(({ name }) => [name, from.values[name]!]));
  try {
    return changesBetween(from.settings, conditionOf({ ...own, [axis]: value }, registries).settings).alone;
  } catch {
    return false;
  }
}
