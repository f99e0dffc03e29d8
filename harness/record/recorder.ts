import type { LaneMessage } from "../../schema/records.ts";
import { Journal } from "./journal.ts";

/** A run's three journals. What a lane says is on the disk when `keep` returns. */
export class Recorder {
  readonly #loads: Journal;
  readonly #lanes: Journal;
  readonly #calibration: Journal;

  constructor(folder: string) {
    this.#loads = new Journal(`${folder}/loads.jsonl`);
    this.#lanes = new Journal(`${folder}/lanes.jsonl`);
    this.#calibration = new Journal(`${folder}/calibration.jsonl`);
  }

  keep(message: LaneMessage): void {
    if ("load" in message) this.#loads.append(message.load);
    else if ("lane" in message) this.#lanes.append(message.lane);
    else this.#calibration.append(message.calibration);
  }

  close(): void {
    for (const journal of [this.#loads, this.#lanes, this.#calibration]) journal.close();
  }
}
