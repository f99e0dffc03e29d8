/** The order of a lane's work: measure links, describe the lane, warm the client up, make loads. */
import type { LaneMessage, LoadChunk, LoadMessage } from "../../schema/lane-messages.ts";
import type { PlannedLoad, SharedLosses } from "../../schema/plan.ts";
import type { Calibration, Lane } from "../../schema/records.ts";
import type { Measuring, Settings } from "../../schema/settings.ts";
import { backgroundDelayMs, lossSeedOf, traceOffsetMs } from "../plan/seeded.ts";

export interface OpenMaker {
  make(load: PlannedLoad, timeoutMs: number): Promise<LoadMessage>;
  /** Whether the client hangs, so that no further load can be made. */
  readonly clientHangs: boolean;
}

/** The steps of a lane that use the lab's hosts. Tests replace them. */
export interface LaneParts {
  calibrate(settings: Measuring): AsyncIterable<Omit<Calibration, "calibration">>;
  openMaker(): Promise<OpenMaker>;
  /** @param calibrations link -> the calibration that is valid for this lane's loads */
  describe(calibrations: Record<string, string>): Promise<Lane>;
}

/** If a lane ends early after its description, the load in progress is recorded as failed. A client that hangs ends the lane without an error. */
export async function* workOnLoads(
  { number, calibrate, calibrations, loads, sharesLosses, offsetSeed, timeoutMs }: LoadChunk,
  parts: LaneParts,
): AsyncGenerator<LaneMessage> {
  const valid = { ...calibrations };
  let measurements = 0;
  for (const settings of calibrate)
    for await (const measured of parts.calibrate(settings)) {
      const calibration = { calibration: `${number}.${measurements++}`, ...measured };
      if (calibration.final) valid[calibration.link] = calibration.calibration;
      yield { kind: "calibration", calibration };
    }
  const [first] = loads;
  const maker = first ? await parts.openMaker() : null;
  yield { kind: "lane", lane: await parts.describe(valid) };
  if (!first || !maker) return;
  // A client's first load is slower than all others, so it is not a sample.
  await maker.make(withSettings(first, withoutLoss(first.condition.settings)), timeoutMs);
  for (const load of loads) {
    yield await maker.make(withSettings(load, drawnSettings(load, sharesLosses, offsetSeed)), timeoutMs);
    if (maker.clientHangs) return;
  }
}

const withSettings = ({ condition, ...load }: PlannedLoad, settings: Settings): PlannedLoad => ({
  ...load,
  condition: { ...condition, settings },
});

/** Returns a load's settings with its block's random values. */
function drawnSettings(
  { block, condition: { settings } }: PlannedLoad,
  losses: SharedLosses | undefined,
  seed: number | undefined,
): Settings {
  const { link, background } = settings;
  return {
    ...settings,
    link: {
      ...link,
      ...(losses && { lossSeed: lossSeedOf(losses, block) }),
      ...(link.trace && seed !== undefined && { traceOffsetMs: traceOffsetMs(link.trace, seed, block) }),
    },
    ...(background && seed !== undefined && { background: { ...background, drawnMs: backgroundDelayMs(seed, block) } }),
  };
}

export const withoutLoss = (settings: Settings): Settings => ({
  ...settings,
  link: { ...settings.link, lossPercent: 0 },
});
