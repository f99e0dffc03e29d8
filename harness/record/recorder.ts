import type { LaneMessage } from "../../schema/lane-messages.ts";
import type { TracesKept } from "../../schema/records.ts";
import { Journal } from "./journal.ts";
import { unpackRun } from "./pack.ts";
import { keepsTrace, withTrace } from "./traces.ts";

/** When lines are synced to the disk. With "each second", a power cut may lose one second's lines: only for runs that can repeat chunks. */
export type Durability = "each line" | "each second";

export interface Recorder {
  /** @throws LabError if this line, or an earlier one, cannot be written */
  keep(message: LaneMessage): void;
  close(): void;
}

/** Opens a run's three journals. @param traces the loads whose traces are kept */
export function openRecorder(
  folder: string,
  traces: TracesKept = "none",
  durability: Durability = "each line",
): Recorder {
  unpackRun(folder);
  const [loads, lanes, calibration] = ["loads", "lanes", "calibration"].map(
    (name) => new Journal(`${folder}/${name}.jsonl`),
  ) as [Journal, Journal, Journal];
  const journals = [loads, lanes, calibration];
  let syncedAtMs = 0;
  const append = (message: LaneMessage) => {
    if (message.kind === "load")
      loads.append(keepsTrace(traces, message.load) ? withTrace(folder, message) : message.load);
    else if (message.kind === "lane") lanes.append(message.lane);
    else if (message.kind === "calibration") calibration.append(message.calibration);
  };
  return {
    keep(message) {
      append(message);
      if (durability === "each second" && performance.now() - syncedAtMs < 1000) return;
      for (const journal of journals) journal.sync();
      syncedAtMs = performance.now();
    },
    close() {
      for (const journal of journals) journal.close();
    },
  };
}
