/** The background page, which is loaded beside the measured page: its content, and checks of the visits to it in a load's evidence. */
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

/** What a visit loads: ten large images, as in Page C (pages/C), over the six connections that browsers open to a host. */
export const visit = { page: { documentBytes: 800, images: 10, imageBytes: 302_000 }, connections: 6 };

/** Refuses a link on which loading the background page takes longer than a load may wait for background flows (`backgroundSteps`). */
export function refusedPage(all: ConditionValues, registries: Registries): string | null {
  const { downMbps } = linkOf(all, registries);
  const mostMs = backgroundSteps.ms * backgroundSteps.most;
  const neededMbps = packetMs((leastBytes(visit.page) * fullFrameBytes) / fullSegmentBytes, 1) / mostMs;
  return downMbps > neededMbps
    ? null
    : `the background page must load once within ${mostMs / 1000} s, which needs more than ${neededMbps.toFixed(2)} Mb/s to the client; the link has ${downMbps} Mb/s`;
}

/** The minimum bytes of a visit's responses: only their bodies. */
const leastBytes = ({ documentBytes, images, imageBytes }: BackgroundPageVisit): number =>
  documentBytes + images * imageBytes;

/** Bytes of a handshake (short certificate chain, two tickets); bytes of a response's headers; the factor by which TLS lengthens 16 KB records. */
const [handshakeBytes, headerBytes, recordShare] = [8000, 500, 1.01];
const mostBytes = (visit: BackgroundPageVisit, connections: number): number =>
  leastBytes(visit) * recordShare + connections * handshakeBytes + (1 + visit.images) * headerBytes;

/** A visit's initial windows, in segments. The client's initial receive window (`initrwnd`) also limits how much servers send first. */
export interface FirstWindows {
  initcwnd: number;
  initrwnd: number;
}

interface Asked extends Pick<Background, "down" | "congestion">, FirstWindows {
  visit: BackgroundPageVisit;
}

/** @param leastMs how long before the load the first visit must have ended */
export function visitsProblems(
  visits: readonly BackgroundVisit[],
  asked: Asked,
  { leastMs, loadMs }: { leastMs: number; loadMs: number },
): string[] {
  const [first] = visits;
  if (!first) return ["no visit to another page ran beside the page"];
  const endedMs = -(first.endedMs ?? 0);
  return [
    ...expect(
      endedMs >= leastMs,
      `when the load began, the other page's first visit had been over for ${Math.max(0, endedMs)} ms; at least ${leastMs} ms are required`,
    ),
    ...pauseProblems(visits, loadMs),
    ...visits.flatMap((visit, i) =>
      visitProblems(visit, asked).map((problem) => `visit ${i + 1} of the other page ${problem}`),
    ),
  ];
}

/** Checks the time between visits: each visit begins as soon as the client's program learns that the previous one has ended. */
function pauseProblems(visits: readonly BackgroundVisit[], loadMs: number): string[] {
  const beginnings = [...visits.slice(1).map(({ openedMs }) => -openedMs), loadMs];
  return visits.flatMap(({ endedMs }, i) => {
    const pauseMs = endedMs === undefined ? 0 : beginnings[i]! - endedMs;
    return expect(
      pauseMs >= 0 && pauseMs <= tolerance.browserMs,
      `${pauseMs.toFixed(0)} ms passed without a visit after visit ${i + 1} of the other page; 0 to ${tolerance.browserMs} ms are allowed`,
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
    ...expect(atLeast <= initcwnd, `began with a window of at least ${atLeast} instead of ${initcwnd}`),
    ...expect(
      atMost === null || atMost >= Math.min(initcwnd, initrwnd),
      `began with a window of at most ${atMost} instead of ${Math.min(initcwnd, initrwnd)}`,
    ),
  ];
}
