import type { LaneMessage } from "../../schema/lane-messages.ts";
import type { TracesKept } from "../../schema/records.ts";
import { Journal } from "./journal.ts";
import { unpackRun } from "./pack.ts";
import { keepsTrace, withTrace } from "./traces.ts";

/** A run's three journals. What a lane says is on the disk when `keep` returns. @param traces of which loads they are kept */
export function openRecorder(folder: string, traces: TracesKept = "none") {
  unpackRun(folder);
  const [loads, lanes, calibration] = ["loads", "lanes", "calibration"].map(
    (name) => new Journal(`${folder}/${name}.jsonl`),
  ) as [Journal, Journal, Journal];
  return {
    keep(message: LaneMessage): void {
      if (message.kind === "load")
        loads.append(keepsTrace(traces, message.load) ? withTrace(folder, message) : message.load);
      else if (message.kind === "lane") lanes.append(message.lane);
      else if (message.kind === "calibration") calibration.append(message.calibration);
    },
    close(): void {
      for (const journal of [loads, lanes, calibration]) journal.close();
    },
  };
}
