/** Finds lines that are missing in the middle of a run's files. Such a run is not resumed: new lines would be appended in the wrong place. */
import { attemptInWords, attemptKey } from "../../schema/attempt.ts";
import { usageError } from "../../schema/errors.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import { chunkOf } from "../../schema/records.ts";
import { counted } from "../../schema/words.ts";
import type { ChunkSizes } from "../plan/chunk-sizes.ts";
import type { SavedRun } from "../record/records.ts";
import type { Recorded, RecordedAttempt } from "./recorded-chunks.ts";
import { recordedWork } from "./rounds.ts";

interface Rules {
  plan: PlannedLoad[];
  recorded: Recorded;
  /** The sizes of chunks on the virtual clock, where a resumed run repeats chunks under the same numbers; null on the real clock. */
  sizes: ChunkSizes | null;
}

/** @throws LabError (usage) that lists the lines and says what to do */
export function refuseLostLines(saved: SavedRun, { plan, recorded, sizes }: Rules): void {
  const { folder } = saved;
  const damaged = damagedLines(saved);
  const lost = sizes === null ? lostParts(recorded) : lostInChunks(plan, recorded, sizes);
  if (damaged.invalid.length + lost.length === 0) return;
  const found = [...damaged.invalid, ...(lost.length ? damaged.torn : []), ...lost];
  const shown = found.slice(0, mostShown);
  const more = found.length > shown.length ? [`and ${counted(found.length - shown.length, "other")}`] : [];
  throw usageError(
    [
      `${folder} cannot be resumed, because its lines were changed or lost after they were recorded:`,
      ...[...shown, ...more].map((text) => `  ${text}`),
      `Restore the files from a copy, or start a new run${sizes === null ? "" : advice}`,
    ].join("\n"),
  );
}

const mostShown = 5;
const advice =
  "; or, in each file named above, delete the first line that is wrong or comes after a lost line, and all lines below it: on the virtual clock, the resumed run makes the same lines again";

/** Finds lines that are not records. A line that a crash cut off (`torn`) is a problem only if a later line of its chunk exists. */
function damagedLines(saved: SavedRun): { torn: string[]; invalid: string[] } {
  const [torn, invalid]: [string[], string[]] = [[], [...saved.problems]];
  let number = 0;
  for (const line of saved.loads()) {
    number++;
    if ("torn" in line) torn.push(`loads.jsonl, line ${number}: it is not a complete record`);
    if ("problem" in line) invalid.push(`loads.jsonl, line ${number}: ${line.problem}`);
  }
  return { torn, invalid };
}

/** Finds what is lost on the real clock: the lines of lanes that made loads, and gaps in the numbers of measurements. */
function lostParts({ loads, lanes, calibrations }: Recorded): string[] {
  const known = new Set(lanes);
  const without = new Set(loads.map(({ chunk }) => chunk).filter((chunk) => !known.has(chunk)));
  return [
    ...[...without].map((chunk) => `lanes.jsonl lacks lane ${chunk}, which made loads`),
    ...lostCalibrations(calibrations),
  ];
}

/** Finds what is lost on the virtual clock: lines that are missing before other lines of their chunk. */
function lostInChunks(plan: PlannedLoad[], recorded: Recorded, sizes: ChunkSizes): string[] {
  const made = new Map<number, RecordedAttempt[]>();
  for (const load of recorded.loads) made.set(load.chunk, [...(made.get(load.chunk) ?? []), load]);
  const work = recordedWork(plan, recorded, sizes);
  const lost = [...work].flatMap(([chunk, { loads }]) => lostBefore(loads, made.get(chunk) ?? [], chunk));
  return [...lost, ...lostCalibrations(recorded.calibrations)];
}

/** Reports a chunk's first load without a line, if a later load of the chunk has a line. Skips chunks that were planned by older rules. */
function lostBefore(planned: PlannedLoad[], made: RecordedAttempt[], chunk: number): string[] {
  const keys = new Set(made.map(attemptKey));
  const known = new Set(planned.map(attemptKey));
  const isMade = (load: PlannedLoad) => keys.has(attemptKey(load));
  const first = planned.findIndex((load) => !isMade(load));
  const after = first < 0 || [...keys].some((key) => !known.has(key)) ? undefined : planned.slice(first).find(isMade);
  if (!after) return [];
  const [lost, next] = [planned[first]!, after].map(attemptInWords);
  return [`loads.jsonl lacks ${lost}, of chunk ${chunk}; a later line of that chunk exists: ${next}`];
}

/** Finds gaps in the numbers of measurements. The measurements of chunk 3 are numbered 3.0, 3.1 and so on. */
function lostCalibrations(calibrations: Recorded["calibrations"]): string[] {
  const places = new Map<number, number>();
  return calibrations.flatMap(({ calibration }) => {
    const chunk = chunkOf({ calibration });
    const place = places.get(chunk) ?? 0;
    places.set(chunk, Number(calibration.split(".")[1]) + 1);
    return calibration === `${chunk}.${place}`
      ? []
      : [`calibration.jsonl lacks measurement ${chunk}.${place}, which precedes ${calibration}`];
  });
}
