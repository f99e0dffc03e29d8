/** Reads each page over each link from a run, with its loads and what the loads show. */
import { learntOf } from "../../axes/expected.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { Evidence } from "../../schema/evidence.ts";
import type { Condition } from "../../schema/plan.ts";
import type { LearntRequest } from "../../schema/registries.ts";
import { type ExplainedLoad, explainer } from "../explain/explained.ts";
import type { PartsMs } from "../explain/parts.ts";
import { explanationOf } from "../explain/print/summary.ts";
import { type RecordedLoad, readToEnd, recordedLoads } from "../judge/run/judged-loads.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import type { Share } from "../statistics/fisher.ts";
import { FirstAttempts } from "../tables/counted.ts";
import { verdictOf } from "../verify/verdict.ts";
import { type GateLoad, type GateSample, type Medians, mediansOf, sampleOf } from "./sample.ts";

/** A page over one link. */
export interface GateSide extends GateSample {
  condition: Condition;
  medians: Medians;
  /** How many loads were repeated, because an attempt gave no result. */
  repeated: Share;
  /** Evidence of each load that counts. */
  evidence: readonly Evidence[];
  /** Loads whose trace shows where the time went. */
  loads: ExplainedLoad[];
  /** Where the time went; null if packets do not show it. */
  parts: PartsMs | null;
  learnt: readonly LearntRequest[];
}

/** @throws LabError if the run is invalid or incomplete, because its numbers would mean nothing */
export function sidesOf(run: SavedRun): { sides: GateSide[]; digest: string } {
  const counting = new GateLoads();
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
      repeated: { having: counting.repeated(condition.id), of: sample.size },
      evidence: counted.map(({ evidence }) => evidence),
      loads: explained.filter((one) => one.condition.id === condition.id),
      parts: summaries.find((one) => one.condition.id === condition.id)?.parts ?? null,
      learnt: learntOf(condition.values, registries) ?? [],
    };
  });
  return { sides, digest: verdict.digest };
}

/** Selects the loads that count, by the rules of tables. A load counts even if it shows only that its time exceeds the time-out. */
export class GateLoads {
  readonly #first = new FirstAttempts<GateLoad & { attempt: number }>();
  /** Condition -> blocks in which an attempt gave no result. */
  readonly #repeated = new Map<string, Set<number>>();

  add({ condition, block, attempt, observed, record }: RecordedLoad): void {
    if (observed === null) {
      this.#repeated.set(condition, (this.#repeated.get(condition) ?? new Set()).add(block));
      return;
    }
    const { evidence } = record();
    if (evidence) this.#first.add(condition, block, { block, attempt, ended: observed === "time", evidence });
  }

  of = (condition: string): GateLoad[] => [...this.#first.of(condition).values()];

  repeated = (condition: string): number => this.#repeated.get(condition)?.size ?? 0;
}
