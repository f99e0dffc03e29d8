import type { LaneMessage, LoadMessage } from "../../schema/lane-messages.ts";
import type { TracesKept } from "../../schema/records.ts";
import { Journal } from "./journal.ts";
import { unpackRun } from "./pack.ts";
import { keepsTrace, withTrace } from "./traces.ts";

/** A run's three journals. What a lane says is on the disk when `keep` returns. */
export class Recorder {
  readonly #folder: string;
  readonly #traces: TracesKept;
  readonly #loads: Journal;
  readonly #lanes: Journal;
  readonly #calibration: Journal;

  /** @param traces of which loads they are kept */
  constructor(folder: string, traces: TracesKept = "none") {
    this.#folder = folder;
    this.#traces = traces;
    unpackRun(folder);
    this.#loads = new Journal(`${folder}/loads.jsonl`);
    this.#lanes = new Journal(`${folder}/lanes.jsonl`);
    this.#calibration = new Journal(`${folder}/calibration.jsonl`);
  }

  keep(message: LaneMessage): void {
    if (message.kind === "load") this.#loads.append(this.#lineOf(message));
    else if (message.kind === "lane") this.#lanes.append(message.lane);
    else if (message.kind === "calibration") this.#calibration.append(message.calibration);
  }

  #lineOf(message: LoadMessage): LoadMessage["load"] {
    return keepsTrace(this.#traces, message.load) ? withTrace(this.#folder, message) : message.load;
  }

  close(): void {
    for (const journal of [this.#loads, this.#lanes, this.#calibration]) journal.close();
  }
}
