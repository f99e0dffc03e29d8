/** Whether what each lane says it ran on is what the run asked for, and the same as the others'. */
import type { Calibration, Lane } from "../../schema/records.ts";
import { realLanes, virtualTimeOf } from "../../substrate/substrate.ts";
import { chunkOf } from "../record/digest.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";

/** TCP as today's hosts have it (RFC 7323, RFC 2018), and no memory of earlier connections: whatever kernel it is. */
const mustBe: Record<string, string> = {
  tcp_no_metrics_save: "1",
  tcp_sack: "1",
  tcp_timestamps: "1",
  tcp_window_scaling: "1",
};
/** From a lane's choice of what to measure until it is ready for its first load. */
const startMs = 2 * 60_000;

/** @returns lane -> why its loads are invalid */
export function laneProblems(
  manifest: Manifest,
  lanes: readonly Lane[],
  calibrations: readonly Calibration[],
): Map<number, string[]> {
  const numbers = new Set<number>();
  return new Map(
    lanes.map((lane) => {
      const twice = numbers.has(lane.lane) ? [`two lanes say that they are number ${lane.lane}`] : [];
      numbers.add(lane.lane);
      return [lane.lane, [...twice, ...hostProblems(manifest, lane, lanes[0]!), ...ageProblems(lane, calibrations)]];
    }),
  );
}

/** What of a lane's host is not as the run asked, or not as in the run's first lane. */
export function hostProblems(manifest: Manifest, lane: Lane, first: Lane): string[] {
  const { clock, createdAt } = manifest;
  const set = new Set(conditionsOfRun(manifest).flatMap(({ settings }) => Object.keys(settings.client.sysctls)));
  // What conditions set is proven by their loads.
  const isLeft = (name: string) => !set.has(`net.ipv4.${name}`);
  const names = Object.keys({ ...first.sysctls, ...lane.sysctls }).filter(isLeft);
  return [
    ...((lane.substrate === "guest") === (lane.clock === "virtual")
      ? []
      : [`its lane's clock is ${lane.clock}, on ${lane.substrate}`]),
    ...(clock === "real" || startsOnItsDay(lane)
      ? []
      : [`lane ${lane.lane} began at ${lane.startedAt}; its day begins at ${virtualTimeOf(lane.lane).toISOString()}`]),
    ...(lane.clock === clock ? [] : [`its lane's clock is ${lane.clock}, the run's ${clock}`]),
    ...(clock === "virtual" || Date.parse(lane.startedAt) >= Date.parse(createdAt)
      ? []
      : [`its lane began at ${lane.startedAt}, before its run`]),
    ...Object.entries(mustBe).flatMap(([name, value]) =>
      lane.sysctls[name] === value || !isLeft(name) ? [] : [`${name} was ${lane.sysctls[name]} on the client`],
    ),
    ...names.flatMap((name) =>
      lane.sysctls[name] === first.sysctls[name]
        ? []
        : [`${name} was ${lane.sysctls[name]} on the client, and ${first.sysctls[name]} in the run's first lane`],
    ),
    ...(lane.shaper.name === first.shaper.name && lane.substrate === first.substrate
      ? []
      : [
          `its lane ran on ${lane.substrate} with netem of ${lane.shaper.name}, the first on ${first.substrate}, ${first.shaper.name}`,
        ]),
  ];
}

/** On the virtual clock a chunk has a day of its own. */
function startsOnItsDay({ lane, startedAt }: Lane): boolean {
  const [from, to] = [virtualTimeOf(lane), virtualTimeOf(lane + 1)];
  return Date.parse(startedAt) >= from.getTime() && Date.parse(startedAt) < to.getTime();
}

/** On the real clock a further lane measures links again, those whose measurement is oldest (substrate/substrate.ts). */
function ageProblems(lane: Lane, calibrations: readonly Calibration[]): string[] {
  if (lane.clock === "virtual" || realLanes.links !== "drift") return [];
  if (calibrations.some(({ calibration }) => chunkOf(calibration) === lane.lane)) return [];
  const allowedMs = realLanes.measureAgainMs + startMs;
  const old = Object.entries(lane.calibrations).filter(([, name]) => {
    const measured = calibrations.find(({ calibration }) => calibration === name);
    return measured && Date.parse(lane.startedAt) - Date.parse(measured.measuredAt) > allowedMs;
  });
  return old.length ? [`${old.map(([link]) => link).join(", ")} should have been measured again by its lane`] : [];
}
