/** Each page over each link, with its loads and what they show. */
import { learntOf } from "../../axes/expected.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { Evidence } from "../../schema/evidence.ts";
import type { Condition } from "../../schema/plan.ts";
import type { LearntRequest } from "../../schema/registries.ts";
import { type ExplainedLoad, explainer } from "../explain/explained.ts";
import { explanationOf, type PartsMs } from "../explain/print/summary.ts";
import { type RecordedLoad, readToEnd, recordedLoads } from "../judge/run/judged-loads.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { verdictOf } from "../verify/verdict.ts";
import { type GateLoad, type GateSample, type Medians, mediansOf, sampleOf } from "./sample.ts";

/** A page over one link. */
export interface GateSide extends GateSample {
  condition: Condition;
  medians: Medians;
  /** Evidence of each load that counts. */
  evidence: readonly Evidence[];
  /** Loads whose trace shows where the time went. */
  loads: ExplainedLoad[];
  /** Where the time went; null over HTTP/3, where packets do not show it. */
  parts: PartsMs | null;
  learnt: readonly LearntRequest[];
}

/** @throws LabError if the run is not valid and complete, because then its numbers show nothing */
export function sidesOf(run: SavedRun): { sides: GateSide[]; digest: string } {
  const counting = new CountedLoads();
  const explain = explainer(run);
  const explained: ExplainedLoad[] = [];
  const verdict = readToEnd(recordedLoads(run), (load) => {
    counting.add(load);
    explained.push(...[explain(load) ?? []].flat());
  });
  const { exitCode, sentence } = verdictOf(verdict);
  // The exit code "failed" means a slower page, but an invalid run does not show whether the page is slower.
  const code = exitCode === ExitCode.failed ? ExitCode.undecided : exitCode;
  if (code !== ExitCode.done) throw new LabError(code, `${run.folder}: ${sentence}`);
  const { experiment, registries, timeoutSeconds } = run.manifest;
  const summaries = explanationOf(explained, experiment).conditions;
  const sides = conditionsOfRun(run.manifest).map((condition): GateSide => {
    const counted = counting.of(condition.id);
    const sample = sampleOf(counted, timeoutSeconds * 1000);
    return {
      ...{ ...sample, condition, medians: mediansOf(sample) },
      evidence: counted.map(({ evidence }) => evidence),
      loads: explained.filter((one) => one.condition.id === condition.id),
      parts: summaries.find((one) => one.condition.id === condition.id)?.parts ?? null,
      learnt: learntOf(condition.values, registries) ?? [],
    };
  });
  return { sides, digest: verdict.digest };
}

/** As in tables: for each condition and block the first attempt counts that observed a time, even if only that it exceeds the time-out. */
export class CountedLoads {
  readonly #first = new Map<string, Map<number, GateLoad & { attempt: number }>>();

  add({ condition, block, attempt, observed, record }: RecordedLoad): void {
    const own = this.#first.get(condition) ?? new Map<number, GateLoad & { attempt: number }>();
    this.#first.set(condition, own);
    const { evidence } = observed === null ? { evidence: undefined } : record();
    const before = own.get(block);
    if (!evidence || (before && before.attempt <= attempt)) return;
    own.set(block, { block, attempt, ended: observed === "time", evidence });
  }

  of = (condition: string): GateLoad[] => [...(this.#first.get(condition)?.values() ?? [])];
}
