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
import { Measured } from "../../report/measures.ts";
import { labelled } from "./asked.ts";
import { evidenceView, Paths, type Traced } from "./detail.ts";
import type { LoadDetail } from "./load-model.ts";
import type { ConditionData, LoadColumns } from "./model.ts";

/** A condition's file, and the medians of its evidence. */
export interface Gathered {
  data: Omit<ConditionData, "capture">;
  measures: Record<string, number | null>;
  parts: number[] | null;
}

/** What the gatherers of a run share. */
export interface Gathering {
  run: SavedRun;
  /** Packets are more by far than all else: up to this block they are drawn. */
  tracedBlocks: number;
  /** Keeps what the load at this place of a condition left behind, made only then. @returns whether there was room */
  keep(condition: number, place: number, detail: () => LoadDetail): boolean;
}

/** Of so many loads of a condition it is said why they are remarked upon. */
const remarksSaid = 50;
const thousandths = (value: number) => Math.round(1000 * value);

/** A condition's loads. */
export class Gatherer {
  readonly #condition: Condition;
  readonly #number: number;
  readonly #gathering: Gathering;
  readonly #paths = new Paths();
  readonly #measured = new Measured();
  /** By load whose packets tell where its time went. */
  readonly #parts: number[][] = [];
  readonly #loads: LoadColumns = { block: [], attempt: [], time: [], remarked: [], remarks: [], detailed: [] };

  constructor(condition: Condition, number: number, gathering: Gathering) {
    this.#condition = condition;
    this.#number = number;
    this.#gathering = gathering;
  }

  add({ record: load, problems, judgement }: RecordedLoad): void {
    const { experiment } = this.#gathering.run.manifest;
    const columns = this.#loads;
    const place = columns.block.push(load.block) - 1;
    columns.attempt.push(load.attempt);
    const value = load.ok ? metrics[experiment.metric]!.of(load.evidence) : null;
    columns.time.push(value === null ? -1 : thousandths(value));
    const remark = { reason: load.ok ? null : load.reason, problems, flags: judgement.flags };
    if (remark.reason !== null || problems.length + remark.flags.length > 0) {
      columns.remarked.push(place);
      if (columns.remarks.length < remarksSaid) columns.remarks.push(remark);
    }
    const traced = this.#tracedOf(load);
    if (load.ok) this.#measured.add(load.evidence);
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
      evidence: evidence ? evidenceView(evidence, this.#condition, registries, judgement, this.#paths, drawn) : null,
    };
  }

  /** A trace that is gone, or another one, is for `./lab verify` to find fault with. */
  #tracedOf(load: LoadRecord): Traced | null {
    if (!load.ok || load.trace === undefined) return null;
    try {
      const trace = this.#gathering.run.traceOf(load.trace);
      return { trace, account: accountOf(load, trace) };
    } catch {
      return null;
    }
  }

  gathered(): Gathered {
    const { values, settings } = this.#condition;
    const { downMbps, upMbps, rttMs } = settings.link;
    const data = {
      values: axes.map((axis) => ({ name: axis.name, title: axis.title, label: labelled(axis, values[axis.name]!) })),
      link: { downMbps, upMbps, rttMs },
      paths: this.#paths.list,
      loads: this.#loads,
    };
    const parts = this.#parts.length ? partNames.map((_, i) => median(this.#parts.map((one) => one[i]!))) : null;
    return { data, measures: this.#measured.medians(), parts };
  }
}
