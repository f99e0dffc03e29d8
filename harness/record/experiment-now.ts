/** Decides whether the tables and figures of a run are those in run.json, or those in an experiment's current file. */
import { isDeepStrictEqual } from "node:util";
import { readRegistries } from "../../axes/registries.ts";
import type { Condition } from "../../schema/plan.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { type Experiment, listExperiments, readExperiment } from "../plan/experiment.ts";
import type { Manifest } from "./manifest.ts";

export interface Defining {
  /** The experiment whose claims have the published values. */
  name: string;
  experiment: Experiment;
  /** All conditions of the experiment, if the run may have fewer or other conditions. */
  whole?: readonly Condition[];
  /** A sentence for the reader, if the definitions are not the run's own. */
  definedBy?: string;
}

/** @param given the name in the option --experiment */
export function definingExperiment(manifest: Manifest, given?: string): Defining {
  if (given === undefined) {
    const { name, experiment, registries, only, with: replaced } = manifest;
    const isWhole = only.length + replaced.length === 0;
    return { name, experiment, ...(!isWhole && { whole: conditionsOf(experiment, registries) }) };
  }
  const { timeoutSeconds: _, ...experiment } = readExperiment(given);
  return {
    name: given,
    experiment,
    whole: conditionsOf(experiment, readRegistries()),
    definedBy: `Tables and figures are defined by the current file of the experiment ${given} (--experiment), not by the run.`,
  };
}

const defining = ["title", "metric", "baseline", "comparisons", "tables", "figures"] as const;

/** Returns a sentence if the file of the run's experiment has changed since the run; null if it is unchanged, or does not exist. */
export function definedOtherwise({ name, experiment }: Pick<Manifest, "name" | "experiment">): string | null {
  if (!listExperiments().includes(name)) return null;
  const now = readExperiment(name);
  const other = defining.filter((key) => !isDeepStrictEqual(asJson(now[key]), asJson(experiment[key])));
  if (other.join() === "figures" && experiment.figures === undefined)
    return `The run is older than the figures of the experiment ${name}, so the figures in the experiment's current file are used.`;
  return other.length
    ? `The experiment ${name} has changed since this run was made (${other.join(", ")}): --experiment ${name} uses its current file.`
    : null;
}

const asJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
