import { readFileSync } from "node:fs";
import type { LaneMessage, LoadMessage } from "../../schema/lane-messages.ts";
import type { TracesKept } from "../../schema/records.ts";
import { Chain, chunkOf } from "./chain.ts";
import { Journal } from "./journal.ts";
import { keepsTrace, withTrace } from "./traces.ts";

/** A run's three journals. What a lane says is on the disk, and in the chain, when `keep` returns. */
export class Recorder {
  readonly #folder: string;
  readonly #traces: TracesKept;
  readonly #loads: Journal;
  readonly #lanes: Journal;
  readonly #calibration: Journal;
  /** Each start of a run goes on with chunks of its own, so nothing of an earlier start has to be known. */
  readonly #chain: Chain;

  /** @param traces of which loads they are kept */
  constructor(folder: string, traces: TracesKept = "none") {
    this.#folder = folder;
    this.#traces = traces;
    this.#chain = new Chain(readFileSync(`${folder}/run.json`));
    this.#loads = new Journal(`${folder}/loads.jsonl`);
    this.#lanes = new Journal(`${folder}/lanes.jsonl`);
    this.#calibration = new Journal(`${folder}/calibration.jsonl`);
  }

  keep(message: LaneMessage): void {
    if (message.kind === "load") this.#append(this.#loads, message.load.lane, this.#lineOf(message));
    else if (message.kind === "lane") this.#append(this.#lanes, message.lane.lane, message.lane);
    else if (message.kind === "calibration")
      this.#append(this.#calibration, chunkOf(message.calibration.calibration), message.calibration);
  }

  #lineOf(message: LoadMessage): LoadMessage["load"] {
    return keepsTrace(this.#traces, message.load) ? withTrace(this.#folder, message) : message.load;
  }

  #append(journal: Journal, chunk: number, record: object): void {
    this.#chain.add(chunk, journal.append({ ...record, previous: this.#chain.before(chunk) }));
  }

  close(): void {
    for (const journal of [this.#loads, this.#lanes, this.#calibration]) journal.close();
  }
}
