/** Checks whether each lane's host was as the run configured it, and the same as in the run's first lane. */
import { expect } from "../../../schema/expect.ts";
import { type Calibration, chunkOf, type Lane } from "../../../schema/records.ts";
import type { Settings } from "../../../schema/settings.ts";
import { realLanes, virtualTimeOf } from "../../../substrate/substrate.ts";
import { conditionsOfRun, type Manifest } from "../../record/manifest.ts";

type Sysctls = Lane["sysctls"];

/** Kernel parameters that are required unless a condition sets them: TCP as today (RFC 7323, RFC 2018), without metrics of earlier connections. */
const mustBe: Record<string, string> = {
  tcp_no_metrics_save: "1",
  tcp_sack: "1",
  tcp_timestamps: "1",
  tcp_window_scaling: "1",
};
/** The most time that a lane may take to start, after the runner has chosen which links the lane measures. */
const startMs = 2 * 60_000;

/** @returns chunk -> why the loads of its lane are invalid */
export function laneProblems(
  manifest: Manifest,
  lanes: readonly Lane[],
  calibrations: readonly Calibration[],
): Map<number, string[]> {
  const numbers = new Set<number>();
  return new Map(
    lanes.map((lane) => {
      const chunk = chunkOf(lane);
      const twice = numbers.has(chunk) ? [`two lanes have number ${chunk}`] : [];
      numbers.add(chunk);
      return [chunk, [...twice, ...hostProblems(manifest, lane, lanes[0]!), ...ageProblems(lane, calibrations)]];
    }),
  );
}

export function hostProblems(manifest: Manifest, lane: Lane, first: Lane): string[] {
  const { clock, createdAt } = manifest;
  return [
    ...expect(
      (lane.substrate === "guest") === (lane.clock === "virtual"),
      `its lane's clock is ${lane.clock}, but it ran on ${lane.substrate}`,
    ),
    ...(clock === "real" || startsOnItsDay(lane)
      ? []
      : [
          `lane ${chunkOf(lane)} began at ${lane.startedAt}; its virtual day begins at ${virtualTimeOf(chunkOf(lane)).toISOString()}`,
        ]),
    ...expect(lane.clock === clock, `its lane's clock is ${lane.clock}, the run's ${clock}`),
    ...expect(
      clock === "virtual" || Date.parse(lane.startedAt) >= Date.parse(createdAt),
      `its lane began at ${lane.startedAt}, before the run was created`,
    ),
    ...sysctlProblems(lane, first, sysctlsSetIn(manifest)),
    ...expect(
      lane.shaper.name === first.shaper.name && lane.substrate === first.substrate,
      `its lane ran on ${lane.substrate} with netem of ${lane.shaper.name}, the first on ${first.substrate} with ${first.shaper.name}`,
    ),
  ];
}

/** The kernel parameters that conditions set. Loads confirm them, so their values at a lane's start do not matter. */
interface SetSysctls {
  client: ReadonlySet<string>;
  server: ReadonlySet<string>;
}

const known = new WeakMap<Manifest, SetSysctls>();
/** Cached, because a long run has thousands of lanes. */
function sysctlsSetIn(manifest: Manifest): SetSysctls {
  const set = known.get(manifest) ?? setBy(conditionsOfRun(manifest).map(({ settings }) => settings));
  known.set(manifest, set);
  return set;
}

const setBy = (all: readonly Settings[]): SetSysctls => ({
  client: new Set(all.flatMap(({ client }) => Object.keys(client.sysctls))),
  server: new Set(all.flatMap(({ server }) => Object.keys(server.sysctls ?? {}))),
});

/** Parameters that no condition sets must be as required, and as in the first lane. A lane has servers' parameters only if its conditions set some. */
function sysctlProblems(lane: Lane, first: Lane, set: SetSysctls): string[] {
  const problemsOn = (host: string, set: ReadonlySet<string>, now: Sysctls, before: Sysctls): string[] => {
    const isLeft = (name: string) => !set.has(`net.ipv4.${name}`) && !set.has(name);
    const names = Object.keys({ ...before, ...now }).filter(isLeft);
    return [
      ...Object.entries(mustBe).flatMap(([name, value]) =>
        expect(now[name] === value || !isLeft(name), `${name} was ${now[name]} on ${host}`),
      ),
      ...names.flatMap((name) =>
        expect(
          now[name] === before[name],
          `${name} was ${now[name]} on ${host}, and ${before[name]} in the run's first lane`,
        ),
      ),
    ];
  };
  return [
    ...problemsOn("the client", set.client, lane.sysctls, first.sysctls),
    ...Object.entries(lane.serverSysctls ?? {}).flatMap(([host, now]) =>
      problemsOn(host, set.server, now, first.serverSysctls?.[host] ?? now),
    ),
  ];
}

/** Whether the lane started on the date of its chunk. On the virtual clock, each chunk runs on a different date. */
function startsOnItsDay(lane: Lane): boolean {
  const [from, to] = [virtualTimeOf(chunkOf(lane)), virtualTimeOf(chunkOf(lane) + 1)];
  const startMs = Date.parse(lane.startedAt);
  return startMs >= from.getTime() && startMs < to.getTime();
}

/** Reports a lane on the real clock that measured no link although a measurement was too old (`measureAgainMs` in substrate/substrate.ts). */
function ageProblems(lane: Lane, calibrations: readonly Calibration[]): string[] {
  if (lane.clock === "virtual" || realLanes.links !== "drift") return [];
  if (calibrations.some((one) => chunkOf(one) === chunkOf(lane))) return [];
  const allowedMs = realLanes.measureAgainMs + startMs;
  const old = Object.entries(lane.calibrations).filter(([, name]) => {
    const measured = calibrations.find(({ calibration }) => calibration === name);
    return measured && Date.parse(lane.startedAt) - Date.parse(measured.measuredAt) > allowedMs;
  });
  return old.length ? [`${old.map(([link]) => link).join(", ")} should have been measured again by its lane`] : [];
}
