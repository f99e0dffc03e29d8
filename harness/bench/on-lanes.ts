import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { readRegistries, usedBy } from "../../axes/registries.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { LaneMessage } from "../../schema/lane-messages.ts";
import type { Condition, PlannedLoad } from "../../schema/plan.ts";
import { chooseSubstrate } from "../../substrate/choose.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { readExperiment } from "../plan/experiment.ts";
import { select } from "../plan/select.ts";
import { laneProcesses } from "../run/lane-process.ts";
import { lockLab } from "../run/lock.ts";

const timeoutMs = 120_000;

/**
 * The same loads on each of some lanes at once, whose messages nobody records; the lab is held meanwhile.
 * @returns what was made of each lane's messages
 */
export async function onLanes<T>(
  { clock, lanes }: { clock: Substrate["clock"]; lanes: number },
  loads: PlannedLoad[],
  use: (messages: AsyncIterable<LaneMessage>, substrate: Substrate) => Promise<T>,
): Promise<T[]> {
  const substrate = await chooseSubstrate({ clock, lanes });
  const release = await lockLab(substrate.lockPath);
  const stop = new AbortController();
  const letGo = await substrate.open((message) => stop.abort(new LabError(ExitCode.failed, message)));
  const folder = mkdtempSync(`${tmpdir()}/lab-bench-`);
  const registries = usedBy(
    loads.map(({ condition }) => condition),
    readRegistries(),
  );
  const start = laneProcesses(substrate, folder, 1);
  try {
    const results = await Promise.all(
      Array.from({ length: lanes }, (_, lane) =>
        use(
          start(
            { kind: "loads", number: lane, calibrate: [], calibrations: {}, loads, registries, timeoutMs },
            lane,
            stop.signal,
          ),
          substrate,
        ),
      ),
    );
    stop.signal.throwIfAborted();
    return results;
  } finally {
    stop.abort();
    rmSync(folder, { recursive: true });
    letGo();
    release();
  }
}

/** On one lane, on the real clock. */
export const onOneLane = async <T>(
  loads: PlannedLoad[],
  use: (messages: AsyncIterable<LaneMessage>, substrate: Substrate) => Promise<T>,
): Promise<T> => (await onLanes({ clock: "real", lanes: 1 }, loads, use))[0]!;

/** Conditions of the default experiment. @param filters as for --only */
export const benchedConditions = (filters: string[]): Condition[] =>
  select(conditionsOf(readExperiment("spdy-initcwnd"), readRegistries()), filters);
