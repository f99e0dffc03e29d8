/** Checks paint times, which only browsers report, against what must come before and after them, and against the browser's own protocol. */
import type { Evidence, PaintEvidence } from "../../../schema/evidence.ts";
import { expect } from "../../../schema/expect.ts";
import { hostAndPathOf } from "../../../schema/recorded-names.ts";
import type { Registries } from "../../../schema/registries.ts";
import { tolerance } from "../../../schema/tolerances.ts";

type Client = Pick<Registries["clients"][string], "replays" | "drivenBy">;

/** @param wallMs the wall time in the load's line; undefined before the line is written */
export function paintProblems(evidence: Evidence, wallMs: number | undefined, { replays, drivenBy }: Client): string[] {
  const { paint, timing, loadedByProtocolMs } = evidence;
  if (!paint) return [];
  if (replays) return ["a client without a screen reports paint times"];
  const { firstContentfulMs, byProtocol } = paint;
  const { responseStart = Number.NaN } = timing;
  const isOlder = loadedByProtocolMs === undefined;
  return [
    ...expect(
      firstContentfulMs >= responseStart,
      `its first paint was after ${firstContentfulMs} ms, but the HTML began to arrive after ${responseStart} ms`,
    ),
    ...expect(
      isOlder || byProtocol !== undefined || drivenBy !== undefined,
      "its evidence lacks the paint times by DevTools",
    ),
    ...(byProtocol ? firstPaintProblems(firstContentfulMs, byProtocol) : []),
    ...largestPaintProblems(evidence, paint, wallMs, isOlder),
  ];
}

type ByProtocol = NonNullable<PaintEvidence["byProtocol"]>;

const differently = (what: string, page: number, protocol: number | undefined) =>
  `its ${what} paint was after ${page} ms by the page, but after ${protocol} ms by DevTools`;

/** Checks that the page reports the same time of the first paint as the protocol, rounded up to the browser's step. */
function firstPaintProblems(byPageMs: number, { firstContentfulMs }: ByProtocol): string[] {
  const roundedByMs = byPageMs - firstContentfulMs;
  const isSame = roundedByMs >= -tolerance.earlyMs && roundedByMs <= tolerance.paintStepMs + tolerance.earlyMs;
  return expect(isSame, differently("first", byPageMs, firstContentfulMs));
}

/**
 * Checks that the largest paint has the protocol's time, or the first paint's time if that is later. The time of the largest paint may be
 * missing only if recording ended at the time limit, or if the protocol has no time.
 * @param isOlder whether the line is older than the field loadedByProtocolMs. Then the space between two images may be the largest paint.
 */
function largestPaintProblems(
  evidence: Evidence,
  { firstContentfulMs, largestContentfulMs, byProtocol }: PaintEvidence,
  wallMs: number | undefined,
  isOlder: boolean,
): string[] {
  if (largestContentfulMs === undefined)
    return expect(
      evidence.recordedUntil === "limit" || (byProtocol !== undefined && byProtocol.largestMs === undefined),
      "its evidence lacks the largest paint",
    );
  const { largestMs = Number.NaN } = byProtocol ?? { largestMs: largestContentfulMs };
  return [
    ...expect(
      wallMs === undefined || largestContentfulMs <= wallMs,
      `its largest paint was after ${largestContentfulMs} ms, but its wall time is ${wallMs} ms`,
    ),
    ...expect(
      isOlder || largestContentfulMs >= firstContentfulMs,
      `its largest paint was after ${largestContentfulMs} ms, before its first after ${firstContentfulMs} ms`,
    ),
    ...expect(
      !byProtocol || Math.abs(largestContentfulMs - Math.max(firstContentfulMs, largestMs)) <= tolerance.earlyMs,
      differently("largest", largestContentfulMs, byProtocol?.largestMs),
    ),
    ...(byProtocol?.image ? imageProblems(largestMs, byProtocol.image, evidence) : []),
  ];
}

/** Checks that an image was painted only after its last byte arrived. But the first frame of an animated image may be painted earlier. */
function imageProblems(
  largestMs: number,
  image: NonNullable<ByProtocol["image"]>,
  { connections }: Evidence,
): string[] {
  const { host: hostname, path: pathname } = hostAndPathOf(image.url);
  const answers = connections.flatMap(({ host, requests }) =>
    host === hostname ? requests.filter(({ path }) => path === pathname) : [],
  );
  const mayMove = !/\.jpe?g$/i.test(pathname);
  // An image whose response ended after the client had reported its requests has no end time.
  const neededMs = answers.map(({ answeredMs, endMs }) => (mayMove ? answeredMs : endMs) ?? Number.NEGATIVE_INFINITY);
  const earliestMs = neededMs.length ? Math.min(...neededMs) : Number.NEGATIVE_INFINITY;
  const painted = `its largest paint, ${pathname}, was after ${largestMs} ms`;
  return [
    ...expect(
      largestMs >= earliestMs - tolerance.earlyMs,
      `${painted}, but ${mayMove ? "its response began" : "it arrived"} only after ${earliestMs} ms`,
    ),
    ...expect(
      largestMs >= image.loadedMs - tolerance.earlyMs,
      `${painted}, but the browser had it after ${image.loadedMs} ms`,
    ),
  ];
}
