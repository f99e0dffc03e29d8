/** Gathers in one pass what a report shows about a run's loads: only a few numbers for most loads. */
import { axes } from "../../../axes/registry.ts";
import { comparedMetrics } from "../../../metrics/registry.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { LoadRecord } from "../../../schema/records.ts";
import { accountOf } from "../../explain/account.ts";
import { partNames } from "../../explain/parts.ts";
import type { Judgement } from "../../judge/load/load.ts";
import type { RecordedLoad } from "../../judge/run/judged-loads.ts";
import type { SavedRun } from "../../record/records.ts";
import { median } from "../../statistics/quantile.ts";
import { countedValue } from "../../tables/counted.ts";
import { labelled } from "./asked.ts";
import { type EvidenceView, evidenceView, Paths, type Traced } from "./detail.ts";
import { packedTime } from "./packed-time.ts";

/** State that the gatherers of all conditions of a run share. */
export interface Gathering {
  run: SavedRun;
  /** The report has the packets of loads up to this block only. */
  tracedBlocks: number;
  /** Keeps a load's details, if there is room. @param place the load's index among its condition's loads @returns whether there was room */
  keep(condition: number, place: number, detail: () => LoadDetail): boolean;
}

/** Why an attempt failed, or what `./lab verify` finds wrong with a load. */
export interface Remark {
  reason: string | null;
  problems: readonly string[];
  flags: readonly string[];
}

/** The report gives reasons for at most this many failed, invalid or flagged loads of a condition. */
const remarksSaid = 50;

/** Every attempt at a load, in file order, stored by column. In this form, a million attempts take a few megabytes. */
export type LoadColumns = ReturnType<typeof noLoads>;
const noLoads = () => ({
  block: [] as number[],
  attempt: [] as number[],
  /** The metric's value of each attempt (packed-time.ts). */
  time: [] as number[],
  /** Indexes of attempts that failed, are invalid or are flagged. `remarks` has the reasons for the first of them. */
  remarked: [] as number[],
  remarks: [] as Remark[],
  /** Indexes of attempts whose details are in the report, in a file of their own. */
  detailed: [] as number[],
});

export type Gathered = ReturnType<Gatherer["gathered"]>;

export class Gatherer {
  readonly #condition: Condition;
  readonly #number: number;
  readonly #gathering: Gathering;
  readonly #paths = new Paths();
  readonly #loads = noLoads();
  /** `#measures` has an entry for each valid load, `#parts` for each load whose parts are known. */
  readonly #measures: (number | null)[][] = [];
  readonly #parts: number[][] = [];

  constructor(condition: Condition, number: number, gathering: Gathering) {
    this.#condition = condition;
    this.#number = number;
    this.#gathering = gathering;
  }

  add(load: RecordedLoad): void {
    const { ok, reason, problems, judgement } = load;
    const columns = this.#loads;
    const place = columns.block.push(load.block) - 1;
    columns.attempt.push(load.attempt);
    columns.time.push(packedTime(countedValue(load, this.#gathering.run.manifest.experiment.metric)));
    const remark = { reason, problems, flags: judgement.flags };
    if (remark.reason !== null || problems.length + remark.flags.length > 0) {
      columns.remarked.push(place);
      if (columns.remarks.length < remarksSaid) columns.remarks.push(remark);
    }
    const traced = load.trace ? tracedOf(load.record(), this.#gathering.run) : null;
    if (ok) this.#measures.push(comparedMetrics.map(({ name }) => load.metrics[name] ?? null));
    if (traced?.account) this.#parts.push(partNames.map((part) => traced.account!.parts[part]));
    const detail = () => this.#detailOf(load.record(), ok ? judgement : null, traced);
    if (this.#gathering.keep(this.#number, place, detail)) columns.detailed.push(place);
  }

  #detailOf({ block, lane, startedAt, evidence }: LoadRecord, judgement: Judgement | null, traced: Traced | null) {
    const { run, tracedBlocks } = this.#gathering;
    const drawn = block <= tracedBlocks ? traced : null;
    const { registries } = run.manifest;
    return {
      lane,
      startedAt,
      /** null for an attempt without evidence. */
      evidence: evidence ? evidenceView(evidence, this.#condition, registries, judgement, this.#paths, drawn) : null,
    };
  }

  gathered() {
    const { values, settings } = this.#condition;
    const { downMbps, upMbps } = settings.link;
    return {
      data: {
        values: axes.map((axis) => ({ name: axis.name, title: axis.title, label: labelled(axis, values[axis.name]!) })),
        link: { downMbps, upMbps },
        paths: this.#paths.list,
        loads: this.#loads,
      },
      /** Medians of metrics over valid loads; null if no load has the value. */
      measures: Object.fromEntries(comparedMetrics.map(({ name }, i) => [name, medianOf(this.#measures, i)])),
      /** Median milliseconds of each part; null without loads whose parts are known. */
      parts: this.#parts.length ? partNames.map((_, i) => medianOf(this.#parts, i)!) : null,
    };
  }
}

/** A load's details, in a file of its own. */
export interface LoadDetail {
  lane: number;
  startedAt: string;
  evidence: EvidenceView | null;
}

/** A missing or invalid trace is ignored here, because `./lab verify` reports it. */
function tracedOf(load: LoadRecord, run: SavedRun): Traced | null {
  if (!load.ok || load.trace === undefined) return null;
  try {
    const trace = run.traceOf(load.trace);
    return { trace, account: accountOf(load, trace, run.manifest) };
  } catch {
    return null;
  }
}

function medianOf(rows: readonly (readonly (number | null)[])[], column: number): number | null {
  const known = rows.flatMap((row) => row[column] ?? []);
  return known.length ? median(known) : null;
}
