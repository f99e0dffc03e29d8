/** Repeats chunks of a run on the virtual clock. With the same versions, the lines must be the same. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { attemptKey } from "../../schema/attempt.ts";
import { changedFields } from "../../schema/changed-fields.ts";
import { usageError } from "../../schema/errors.ts";
import type { LaneMessage } from "../../schema/lane-messages.ts";
import { type Lane, loadSchema } from "../../schema/records.ts";
import { restorePages } from "../../sites/kept-pages.ts";
import { chooseSubstrate } from "../../substrate/choose.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import type { SavedRun } from "../record/records.ts";
import { hashOf } from "../record/traces.ts";
import { type ChunkToRepeat, chunkNumbers, chunksToRepeat } from "../run/chunks-to-repeat.ts";
import { firstDifferentCall } from "../run/first-call.ts";
import { laneProcesses } from "../run/lane-process.ts";
import { withLifetime } from "../run/lifetime.ts";
import { openLab } from "../run/open-lab.ts";
import { type TimeDifferences, timeDifferences } from "./time-differences.ts";

export interface Again extends TimeDifferences {
  chunk: number;
  lines: number;
  /** How many lines are the same, byte for byte. */
  same: number;
  /** The first line that differs: as it was recorded, and as the repetition wrote it. */
  first: { recorded: string; now: string } | null;
  /** Differences from the recorded lane's machine, versions and settings, in words. They can be the reason why lines differ. */
  versions: string[];
  /** Where the guest's system calls differ from those of an earlier execution, in words; null unless both executions were logged. */
  calls: string | null;
}

function drawChunks(run: SavedRun, count: number, seed: number): Set<number> {
  const numbers = chunkNumbers(run);
  const random = xoroshiro128plus(seed);
  const drawn = new Set<number>();
  while (drawn.size < Math.min(count, numbers.length)) drawn.add(numbers[uniformInt(random, 0, numbers.length - 1)]!);
  return drawn;
}

export interface AgainOptions {
  count: number;
  /** Determines which chunks are chosen. */
  seed: number;
  /** A file that `./lab root save` wrote. */
  root?: string;
  /** A folder for logs of guests' system calls. */
  calls?: string;
  /** Stop if a lane reports other versions than the recorded ones. */
  sameVersionsOnly: boolean;
}

/** @param compared called after each chunk @returns the differences in versions that stopped the repetition; empty if nothing stopped it */
export const makeChunksAgain = (
  run: SavedRun,
  { count, seed, root, calls, sameVersionsOnly }: AgainOptions,
  compared: (again: Again) => void,
): Promise<string[]> =>
  withLifetime(async (lifetime) => {
    const { folder, manifest } = run;
    if (manifest.clock !== "virtual")
      throw usageError(`${folder} ran on the real clock; only runs on the virtual clock can be repeated byte for byte`);
    restorePages(folder);
    const { clock, processingMs } = manifest;
    const substrate = chooseSubstrate({ clock, lanes: 1, processingMs, root, calls });
    await openLab(substrate, Object.keys(manifest.registries.servers), lifetime);
    for (const recorded of chunksToRepeat(run, drawChunks(run, count, seed))) {
      const again = await makeAgain(recorded, { substrate, sameVersionsOnly, calls }, manifest.seed, lifetime.signal);
      lifetime.signal.throwIfAborted();
      if (Array.isArray(again)) return again;
      compared(again);
    }
    return [];
  });

/** @returns the comparison, or the differences in versions that stopped the repetition @throws LaneError when the lane ends early */
async function makeAgain(
  { chunk, calibrations, lane, loads, endedEarly }: ChunkToRepeat,
  {
    substrate,
    sameVersionsOnly,
    calls,
  }: { substrate: Substrate; sameVersionsOnly: boolean; calls: string | undefined },
  seed: number,
  signal: AbortSignal,
): Promise<Again | string[]> {
  const folder = mkdtempSync(`${tmpdir()}/lab-again-`);
  try {
    const messages: LaneMessage[] = [];
    const lines = calibrations.length + (lane ? 1 : 0) + loads.length;
    for await (const message of laneProcesses(substrate, folder, seed)(chunk, 0, signal)) {
      messages.push(message);
      const versions = lane && message.kind === "lane" && sameVersionsOnly ? otherMachine(lane, message.lane) : [];
      if (versions.length) return versions;
      // The recorded lane ended early, after this line. The repetition stops here, because it might otherwise end early for the same reason.
      if (endedEarly && messages.length === lines) break;
    }
    const recorded = [...calibrations, ...(lane ? [lane] : []), ...loads].map((record) => JSON.stringify(record));
    const traced = new Set(loads.flatMap((load) => (load.ok && load.trace ? [attemptKey(load)] : [])));
    const now = messages.map((message) => JSON.stringify(lineOf(message, traced)));
    const different = recorded.findIndex((line, i) => line !== now[i]);
    const laneNow = messages.flatMap((message) => (message.kind === "lane" ? [message.lane] : []))[0];
    const loadsNow = messages.flatMap((message) => (message.kind === "load" ? [message.load] : []));
    return {
      chunk: chunk.number,
      lines: recorded.length,
      same: recorded.filter((line, i) => line === now[i]).length,
      first: different < 0 ? null : { recorded: recorded[different]!, now: now[different] ?? "nothing" },
      versions: lane && laneNow ? otherMachine(lane, laneNow) : [],
      ...timeDifferences(chunk.loads, loads, loadsNow),
      calls: calls === undefined ? null : await firstDifferentCall(calls, chunk.number),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the line that the recorder would write for a message. @param traced keys of the recorded loads that have a trace */
function lineOf(message: LaneMessage, traced: ReadonlySet<string>): object {
  if (message.kind === "lane") return message.lane;
  if (message.kind === "calibration") return message.calibration;
  if (message.kind !== "load") return message;
  const { load, trace } = message;
  return trace && traced.has(attemptKey(load)) ? loadSchema.parse({ ...load, trace: hashOf(trace) }) : load;
}

const otherMachine = (recorded: Lane, now: Lane): string[] => changedFields(machineOf(recorded), machineOf(now));

const machineOf = ({ shaper, machine, versions, sandbox, sysctls, serverSysctls }: Lane) => ({
  ...{ shaper, machine, versions, sandbox, sysctls, serverSysctls },
});
