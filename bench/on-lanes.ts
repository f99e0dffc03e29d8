import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { readRegistries, usedBy } from "../axes/registries.ts";
import { conditionsOf } from "../harness/plan/conditions.ts";
import { readExperiment } from "../harness/plan/experiment.ts";
import { select } from "../harness/plan/select.ts";
import { laneProcesses } from "../harness/run/lane-process.ts";
import { withLifetime } from "../harness/run/lifetime.ts";
import { openLab } from "../harness/run/open-lab.ts";
import type { LaneMessage } from "../schema/lane-messages.ts";
import type { Condition, PlannedLoad } from "../schema/plan.ts";
import { chooseSubstrate } from "../substrate/choose.ts";
import type { Substrate } from "../substrate/substrate.ts";

const timeoutMs = 120_000;

/** Makes all loads on each of the lanes at the same time, under the lab's lock. Records nothing. @returns the result of `use` for each lane */
export const onLanes = <T>(
  { clock, lanes }: { clock: Substrate["clock"]; lanes: number },
  loads: PlannedLoad[],
  use: (messages: AsyncIterable<LaneMessage>, substrate: Substrate) => Promise<T>,
): Promise<T[]> =>
  withLifetime(async (lifetime) => {
    const substrate = chooseSubstrate({ clock, lanes });
    await openLab(substrate, [], lifetime);
    const folder = mkdtempSync(`${tmpdir()}/lab-bench-`);
    lifetime.onEnd(() => rmSync(folder, { recursive: true }));
    const start = laneProcesses(substrate, folder, 1);
    const chunk = chunkOf(loads);
    return Promise.all(
      Array.from({ length: lanes }, (_, lane) =>
        use(start({ ...chunk, number: lane }, lane, lifetime.signal), substrate),
      ),
    );
  });

export function chunkOf(loads: PlannedLoad[]) {
  const conditions = loads.map(({ condition }) => condition);
  const registries = usedBy(conditions, readRegistries());
  return { kind: "loads" as const, number: 0, calibrate: [], calibrations: {}, loads, registries, timeoutMs };
}

/** Selects conditions of the experiment spdy-initcwnd. @param filters values of the option --only */
export const benchedConditions = (filters: string[]): Condition[] =>
  select(conditionsOf(readExperiment("spdy-initcwnd"), readRegistries()), filters);
