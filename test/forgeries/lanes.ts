/** Alters the lines of lanes. */
import type { Lane } from "../../schema/records.ts";
import { type Forgery, isVictim } from "./forgery.ts";
import type { RunFiles } from "./run-files.ts";

/** Replaces the line of the victim's lane by a copy that a forgery may alter. @returns the copy */
export const laneOf = (files: RunFiles): Lane => {
  const { lane } = files.loads.find(isVictim)!;
  const at = files.lanes.findIndex((one) => one.lane === lane);
  files.lanes[at] = structuredClone(files.lanes[at]!);
  return files.lanes[at];
};

export const onLane = (what: string, change: (lane: Lane, files: RunFiles) => void, message: RegExp): Forgery => ({
  what,
  forge: (files) => change(laneOf(files), files),
  message,
});

export const lanes: Forgery[] = [
  {
    what: "a failed attempt removed with all lines of its lane",
    forge(files) {
      const gone = 1 + Math.max(...files.lanes.map(({ lane }) => lane));
      const { lane } = files.loads.find(isVictim)!;
      files.lanes = files.lanes.map((one) => (one.lane === lane ? { ...one, lane: gone + 1 } : one));
      files.loads = files.loads.map((load) => (load.lane === lane ? { ...load, lane: gone + 1 } : load));
    },
    message: /whether attempts failed in chunks without any line in the run: .*\d/,
  },
  {
    what: "two lanes of one machine at the same time on the real clock",
    forge(files) {
      const { lane: first } = files.loads[0]!;
      const { lane: second } = files.loads.find(({ lane }) => lane !== first)!;
      const { startedAt } = files.loads.find((load) => load.lane === first)!;
      files.lanes = files.lanes.map((lane) => ({ ...lane, clock: "real" }));
      files.loads = files.loads.map((load) => (load.lane === second ? { ...load, startedAt } : load));
    },
    message: /while lane \d+ was making a load on the same machine/,
  },
  onLane(
    "a lane without a line",
    (lane, files) => void (files.lanes = files.lanes.filter((one) => one !== lane)),
    /its lane \d+ is not in lanes\.jsonl/,
  ),
  onLane("two lanes with the same number", (lane, files) => void files.lanes.push(lane), /two lanes have number/),
  onLane(
    "a lane on another clock",
    (lane) => void (lane.clock = lane.clock === "real" ? "virtual" : "real"),
    /its lane's clock is/,
  ),
  onLane("a lane without SACK", (lane) => void (lane.sysctls.tcp_sack = "0"), /tcp_sack was 0 on the client/),
  onLane(
    "a lane without window scaling",
    (lane) => void (lane.sysctls.tcp_window_scaling = "0"),
    /tcp_window_scaling was 0/,
  ),
  onLane(
    "a lane whose TCP keeps metrics of earlier connections",
    (lane) => void (lane.sysctls.tcp_no_metrics_save = "0"),
    /tcp_no_metrics_save was 0/,
  ),
  onLane(
    "a lane with a TCP setting that differs from the other lanes'",
    (lane) => void (lane.sysctls.tcp_recovery = "0"),
    /tcp_recovery was/,
  ),
  onLane("a lane on another substrate", (lane) => void (lane.substrate = "compose"), /ran on|the first on/),
  onLane(
    "a lane that does not begin at its chunk's virtual start time",
    (lane) => void (lane.startedAt = lane.startedAt.replace("-01T", "-02T").replace(/-(\d\d)T/, "-30T")),
    /its virtual day begins at/,
  ),
];
