/** The page that is loaded beside the measured one: what a visit to it consists of, and checks of the visits that a load's evidence shows. */
import {
  type Background,
  type BackgroundPageVisit,
  type BackgroundVisit,
  backgroundSteps,
} from "../schema/background.ts";
import { expect } from "../schema/expect.ts";
import { fullFrameBytes, fullSegmentBytes, packetMs } from "../schema/link.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { tolerance } from "../schema/tolerances.ts";
import { counted } from "../schema/words.ts";
import { linkOf } from "./link-values.ts";

/** Like Page C (pages/C): ten large images, over the six connections that browsers have to a host. */
export const visit = { page: { documentBytes: 800, images: 10, imageBytes: 302_000 }, connections: 6 };

/** Refuses a link that is too slow: the first visit must end before the last step after which a load may begin. */
export function refusedPage(all: ConditionValues, registries: Registries): string | null {
  const { downMbps } = linkOf(all, registries);
  const mostMs = backgroundSteps.ms * backgroundSteps.most;
  const neededMbps = packetMs((leastBytes(visit.page) * fullFrameBytes) / fullSegmentBytes, 1) / mostMs;
  return downMbps > neededMbps
    ? null
    : `another page must load once within ${mostMs / 1000} s, which needs more than ${neededMbps.toFixed(2)} Mb/s, and the link has ${downMbps} Mb/s to the client`;
}

/** The fewest bytes of a visit's responses: their bodies. */
const leastBytes = ({ documentBytes, images, imageBytes }: BackgroundPageVisit): number =>
  documentBytes + images * imageBytes;

/** Bytes of a handshake with a short chain of certificates and two tickets, and of a response's header; and how TLS lengthens records of up to 16 KB. */
const [handshakeBytes, headerBytes, recordShare] = [8000, 500, 1.01];
const mostBytes = (visit: BackgroundPageVisit, connections: number): number =>
  leastBytes(visit) * recordShare + connections * handshakeBytes + (1 + visit.images) * headerBytes;

/** Segments. Servers stop at the window that the client offers first (`initrwnd`), too. */
export interface FirstWindows {
  initcwnd: number;
  initrwnd: number;
}

interface Asked extends Pick<Background, "down" | "congestion">, FirstWindows {
  visit: BackgroundPageVisit;
}

/** @param leastMs for how long before the load the first visit must have ended */
export function visitsProblems(
  visits: readonly BackgroundVisit[],
  asked: Asked,
  { leastMs, loadMs }: { leastMs: number; loadMs: number },
): string[] {
  const [first] = visits;
  if (!first) return ["no other page was visited beside the page"];
  const endedMs = -(first.endedMs ?? 0);
  return [
    ...expect(
      endedMs >= leastMs,
      `the other page's first visit had ended for ${Math.max(0, endedMs)} of ${leastMs} ms when the load began`,
    ),
    ...pauseProblems(visits, loadMs),
    ...visits.flatMap((visit, i) =>
      visitProblems(visit, asked).map((problem) => `visit ${i + 1} of the other page ${problem}`),
    ),
  ];
}

/** Checks the time between visits: the next one begins as soon as the client's program has been told that the previous one has ended. */
function pauseProblems(visits: readonly BackgroundVisit[], loadMs: number): string[] {
  const beginnings = [...visits.slice(1).map(({ openedMs }) => -openedMs), loadMs];
  return visits.flatMap(({ endedMs }, i) => {
    const pauseMs = endedMs === undefined ? 0 : beginnings[i]! - endedMs;
    return expect(
      pauseMs >= 0 && pauseMs <= tolerance.browserMs,
      `${pauseMs.toFixed(0)} ms passed after visit ${i + 1} of the other page; 0 to ${tolerance.browserMs} are allowed`,
    );
  });
}

function visitProblems(seen: BackgroundVisit, asked: Asked): string[] {
  const {
    connections,
    endedMs,
    congestion,
    bytes,
    initcwnd: { atLeast, atMost } = { atLeast: 0, atMost: null },
  } = seen;
  const { down, visit, initcwnd, initrwnd } = asked;
  const [least, most] = [leastBytes(visit), Math.ceil(mostBytes(visit, down))];
  const isWhole = endedMs !== undefined;
  return [
    ...expect(
      connections <= down && (connections === down || !isWhole),
      `had ${counted(connections, "connection")} instead of ${down}`,
    ),
    ...expect(bytes <= most && (bytes >= least || !isWhole), `delivered ${bytes} bytes instead of ${least} to ${most}`),
    ...expect(
      congestion === undefined || congestion === asked.congestion,
      `used ${congestion} instead of ${asked.congestion}`,
    ),
    ...expect(atLeast <= initcwnd, `began with a window of ${atLeast} at least instead of ${initcwnd}`),
    ...expect(
      atMost === null || atMost >= Math.min(initcwnd, initrwnd),
      `began with a window of ${atMost} at most instead of ${Math.min(initcwnd, initrwnd)}`,
    ),
  ];
}
