/** What a report shows of a run's loads, gathered in one pass over its lines: what stays of each is a few numbers. */
import { median } from "simple-statistics";
import { axes } from "../../../axes/registry.ts";
import { metrics } from "../../../metrics/registry.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { LoadRecord } from "../../../schema/records.ts";
import { accountOf } from "../../explain/account.ts";
import { partNames } from "../../explain/parts.ts";
import type { RecordedLoad } from "../../judge/judged-loads.ts";
import type { Judgement } from "../../judge/load.ts";
import type { SavedRun } from "../../record/records.ts";
import { measures } from "../../report/measures.ts";
import { labelled } from "./asked.ts";
import { evidenceView, Paths, type Traced } from "./detail.ts";

/** What the gatherers of a run share. */
export interface Gathering {
  run: SavedRun;
  /** Packets are more by far than all else: up to this block they are drawn. */
  tracedBlocks: number;
  /** Keeps what the load at this place of a condition left behind, made only then. @returns whether there was room */
  keep(condition: number, place: number, detail: () => LoadDetail): boolean;
}

/** Why an attempt failed, or what `./lab verify` finds wrong with a load. */
export interface Remark {
  reason: string | null;
  problems: readonly string[];
  flags: readonly string[];
}

/** Of so many loads of a condition it is said why they are remarked upon. */
const remarksSaid = 50;
const thousandths = (value: number) => Math.round(1000 * value);

/** Every attempt at a load, column by column in the order of the file: so a million of them are a few megabytes. */
export type LoadColumns = ReturnType<typeof noLoads>;
const noLoads = () => ({
  block: [] as number[],
  attempt: [] as number[],
  /** The metric in thousandths of its unit, which no client's clock tells apart; -1 for an attempt that failed. */
  time: [] as number[],
  /** Places of those that failed, or that are invalid or flagged; and of the first of them, why. */
  remarked: [] as number[],
  remarks: [] as Remark[],
  /** Places of those that have a file of their own. */
  detailed: [] as number[],
});

export type Gathered = ReturnType<Gatherer["gathered"]>;

/** A condition's loads. */
export class Gatherer {
  readonly #condition: Condition;
  readonly #number: number;
  readonly #gathering: Gathering;
  readonly #paths = new Paths();
  readonly #loads = noLoads();
  /** By valid load, and by load whose packets tell where its time went. */
  readonly #measures: (number | null)[][] = [];
  readonly #parts: number[][] = [];

  constructor(condition: Condition, number: number, gathering: Gathering) {
    this.#condition = condition;
    this.#number = number;
    this.#gathering = gathering;
  }

  add({ record: load, problems, judgement }: RecordedLoad): void {
    const columns = this.#loads;
    const place = columns.block.push(load.block) - 1;
    columns.attempt.push(load.attempt);
    const value = load.ok ? metrics[this.#gathering.run.manifest.experiment.metric]!.of(load.evidence) : null;
    columns.time.push(value === null ? -1 : thousandths(value));
    const remark = { reason: load.ok ? null : load.reason, problems, flags: judgement.flags };
    if (remark.reason !== null || problems.length + remark.flags.length > 0) {
      columns.remarked.push(place);
      if (columns.remarks.length < remarksSaid) columns.remarks.push(remark);
    }
    const traced = tracedOf(load, this.#gathering.run);
    if (load.ok) this.#measures.push(measures.map(({ of }) => of(load.evidence)));
    if (traced?.account) this.#parts.push(partNames.map((part) => traced.account!.parts[part]));
    const detail = () => this.#detailOf(load, load.ok ? judgement : null, traced);
    if (this.#gathering.keep(this.#number, place, detail)) columns.detailed.push(place);
  }

  #detailOf({ block, lane, startedAt, evidence }: LoadRecord, judgement: Judgement | null, traced: Traced | null) {
    const { run, tracedBlocks } = this.#gathering;
    const drawn = block <= tracedBlocks ? traced : null;
    const { registries } = run.manifest;
    return {
      lane,
      startedAt,
      /** null for an attempt that left none. */
      evidence: evidence ? evidenceView(evidence, this.#condition, registries, judgement, this.#paths, drawn) : null,
    };
  }

  gathered() {
    const { values, settings } = this.#condition;
    const { downMbps, upMbps } = settings.link;
    return {
      /** The condition's file. */
      data: {
        /** Its values, all of them, in words. */
        values: axes.map((axis) => ({ name: axis.name, title: axis.title, label: labelled(axis, values[axis.name]!) })),
        link: { downMbps, upMbps },
        paths: this.#paths.list,
        loads: this.#loads,
      },
      /** Medians of what valid loads' evidence shows (harness/report/measures.ts); null where no load shows it. */
      measures: Object.fromEntries(measures.map(({ name }, i) => [name, medianOf(this.#measures, i)])),
      /** Where its loads' time goes, milliseconds by part, medians; null without a trace that tells. */
      parts: this.#parts.length ? partNames.map((_, i) => medianOf(this.#parts, i)!) : null,
    };
  }
}

/** What a load left behind: a file of its own. */
export interface LoadDetail {
  lane: number;
  startedAt: string;
  evidence: ReturnType<typeof evidenceView> | null;
}

/** A trace that is gone, or another one, is for `./lab verify` to find fault with. */
function tracedOf(load: LoadRecord, run: SavedRun): Traced | null {
  if (!load.ok || load.trace === undefined) return null;
  try {
    const trace = run.traceOf(load.trace);
    return { trace, account: accountOf(load, trace) };
  } catch {
    return null;
  }
}

function medianOf(rows: readonly (readonly (number | null)[])[], column: number): number | null {
  const known = rows.flatMap((row) => row[column] ?? []);
  return known.length ? median(known) : null;
}
