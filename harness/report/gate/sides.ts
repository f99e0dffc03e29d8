/** Each page over each link: its valid loads, and what is known of them. */
import { median } from "simple-statistics";
import { learntOf } from "../../../axes/expected.ts";
import { ExitCode, LabError } from "../../../schema/errors.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { LearntRequest } from "../../../schema/registries.ts";
import { type ExplainedLoad, explainedLoads } from "../../explain/explained.ts";
import { readToEnd } from "../../judge/judged-loads.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import type { SavedRun } from "../../record/records.ts";
import { explanationOf, type PartsMs } from "../explain/summary.ts";
import { verdictOf } from "../verdict.ts";
import { type GateMeasureName, gateMeasureNames, gateMeasures } from "./measures.ts";

export type Medians = Record<GateMeasureName, number | null>;

/** A page over one link. */
export interface GateSide {
  condition: Condition;
  loads: ExplainedLoad[];
  medians: Medians;
  /** Where the time went; null over HTTP/3, where packets do not show it. */
  parts: PartsMs | null;
  learnt: readonly LearntRequest[];
}

/** @throws LabError if the run is not valid and complete, because then its numbers show nothing */
export function sidesOf(run: SavedRun): { sides: GateSide[]; digest: string } {
  const loads = new Map<string, ExplainedLoad[]>();
  const verdict = readToEnd(explainedLoads(run), (load) => {
    loads.set(load.condition.id, [...(loads.get(load.condition.id) ?? []), load]);
  });
  const { exitCode, sentence } = verdictOf(verdict);
  if (exitCode !== ExitCode.done) throw new LabError(exitCode, `${run.folder}: ${sentence}`);
  const { experiment, registries } = run.manifest;
  const explained = explanationOf([...loads.values()].flat(), experiment).conditions;
  const sides = conditionsOfRun(run.manifest).map((condition): GateSide => {
    const own = loads.get(condition.id) ?? [];
    return {
      ...{ condition, loads: own, medians: mediansOf(own) },
      parts: explained.find((one) => one.condition.id === condition.id)?.parts ?? null,
      learnt: learntOf(condition.values, registries) ?? [],
    };
  });
  return { sides, digest: verdict.digest };
}

const mediansOf = (loads: readonly ExplainedLoad[]): Medians =>
  Object.fromEntries(
    gateMeasureNames.map((name) => {
      const values = loads.flatMap(({ load }) => gateMeasures[name].of(load) ?? []);
      return [name, values.length ? median(values) : null];
    }),
  ) as Medians;
