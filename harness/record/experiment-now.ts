/** Whose tables and figures are made of a run's loads: those in run.json, or those that an experiment's file has now. */
import { isDeepStrictEqual } from "node:util";
import { readRegistries } from "../../axes/registries.ts";
import type { Condition } from "../../schema/plan.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { type Experiment, listExperiments, readExperiment } from "../plan/experiment.ts";
import type { Manifest } from "./manifest.ts";

export interface Defining {
  /** Whose claims have the published values. */
  name: string;
  experiment: Experiment;
  /** The conditions of the whole experiment, if the run has fewer or other ones. */
  whole?: readonly Condition[];
  /** A sentence for what is printed, if the definitions are not the run's own. */
  definedBy?: string;
}

/** @param given the experiment that a command was given, by its name */
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
    definedBy: `Defined by the experiment ${given} as its file is now (--experiment), not by what the run was made with.`,
  };
}

const defining = ["title", "metric", "baseline", "comparisons", "tables", "figures"] as const;

/** A sentence if the file of the run's experiment defines something else by now; null if not, and if there is no such file. */
export function definedOtherwise({ name, experiment }: Pick<Manifest, "name" | "experiment">): string | null {
  if (!listExperiments().includes(name)) return null;
  const now = readExperiment(name);
  const other = defining.filter((key) => !isDeepStrictEqual(asJson(now[key]), asJson(experiment[key])));
  if (other.join() === "figures" && experiment.figures === undefined)
    return `The run is older than the figures of the experiment ${name}: they are those that its file has now.`;
  return other.length
    ? `The experiment ${name} has changed since this run was made (${other.join(", ")}): --experiment ${name} takes what its file has now.`
    : null;
}

const asJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
