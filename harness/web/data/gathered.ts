/** What a report shows of a run's loads, gathered in one pass over its lines. */
import { median } from "simple-statistics";
import { axes } from "../../../axes/registry.ts";
import { metrics } from "../../../metrics/registry.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { Lane, LoadRecord } from "../../../schema/records.ts";

import { type Account, accountOf } from "../../explain/account.ts";
import { partNames } from "../../explain/parts.ts";
import { type Judgement, judgeLine } from "../../judge/load.ts";
import { placedLoad } from "../../judge/neighbours.ts";
import { RunJudge } from "../../judge/run.ts";
import type { SavedRun } from "../../record/records.ts";
import { readTrace } from "../../record/traces.ts";
import { Measured } from "../../report/measures.ts";
import { labelled } from "./asked.ts";
import { detailOf, Paths, type Traced } from "./detail.ts";
import type { ConditionData, LoadView } from "./model.ts";

/** A condition's file, and the medians of its evidence. */
export interface Gathered {
  data: ConditionData;
  measures: Record<string, number | null>;
  parts: number[] | null;
}

/** Up to which block a report keeps loads' evidence, and their packets. */
export interface Kept {
  detailedBlocks: number;
  tracedBlocks: number;
}

/** @param folder the run's, for traces @returns in the order of the conditions */
export function gather(folder: string, run: SavedRun, conditions: readonly Condition[], kept: Kept): Gathered[] {
  const judge = new RunJudge(run);
  const gatherers = new Map(conditions.map((condition) => [condition.id, new Gatherer(condition, run, folder, kept)]));
  for (const line of run.loads()) {
    if (!("load" in line)) continue;
    const { load } = line;
    const { doubts } = judge.look(placedLoad(load));
    gatherers.get(load.condition)?.add(load, doubts, judge.laneOf(load.lane));
  }
  return [...gatherers.values()].map((one) => one.gathered());
}

class Gatherer {
  readonly #condition: Condition;
  readonly #run: SavedRun;
  readonly #folder: string;
  readonly #kept: Kept;

  readonly #paths = new Paths();
  readonly #measured = new Measured();
  readonly #accounts: Account[] = [];
  readonly #loads: LoadView[] = [];

  constructor(condition: Condition, run: SavedRun, folder: string, kept: Kept) {
    this.#condition = condition;
    this.#run = run;
    this.#folder = folder;
    this.#kept = kept;
  }

  add(load: LoadRecord, doubts: string[], lane: Lane | undefined): void {
    const { block, attempt, lane: number, startedAt, ok } = load;
    const { registries, experiment } = this.#run.manifest;
    const judgement: Judgement | null = ok ? judgeLine(load, this.#condition, registries, lane) : null;
    const traced = this.#tracedOf(load);
    if (load.ok) this.#measured.add(load.evidence);
    if (traced?.account) this.#accounts.push(traced.account);
    const { evidence } = load;
    const kept = evidence && block <= this.#kept.detailedBlocks;
    this.#loads.push({
      block,
      attempt,
      lane: number,
      startedAt,
      ms: load.ok ? metrics[experiment.metric]!.of(load.evidence) : null,
      reason: ok ? null : load.reason,
      doubts: [...doubts, ...(judgement?.contradictions ?? [])],
      flags: judgement?.flags ?? [],
      detail: kept
        ? detailOf(
            evidence,
            this.#condition,
            registries,
            judgement,
            this.#paths,
            block <= this.#kept.tracedBlocks ? traced : null,
          )
        : null,
    });
  }

  /** A trace that is gone, or another one, is for `./lab verify` to find fault with. */
  #tracedOf(load: LoadRecord): Traced | null {
    if (!load.ok || load.trace === undefined) return null;
    try {
      const trace = readTrace(this.#folder, load.trace);
      return { trace, account: accountOf(load, trace) };
    } catch {
      return null;
    }
  }

  gathered(): Gathered {
    const { values, settings } = this.#condition;
    const { downMbps, upMbps, rttMs } = settings.link;
    const data: ConditionData = {
      values: axes.map((axis) => ({ name: axis.name, title: axis.title, label: labelled(axis, values[axis.name]!) })),
      link: { downMbps, upMbps, rttMs },
      paths: this.#paths.list,
      loads: this.#loads,
    };
    return { data, measures: this.#measured.medians(), parts: this.#parts() };
  }

  #parts(): number[] | null {
    const all = this.#accounts;
    return all.length ? partNames.map((part) => median(all.map(({ parts }) => parts[part]))) : null;
  }
}
