import {
  type Background,
  type BackgroundEvidence,
  type BackgroundFlow,
  backgroundSteps,
  settledMs,
} from "../schema/background.ts";
import { expect } from "../schema/expect.ts";
import { directions, fullFrameBytes, fullSegmentBytes } from "../schema/link.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { adaptive } from "../schema/settings.ts";
import { counted } from "../schema/words.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { type FirstWindows, refusedPage, visit, visitsProblems } from "./background-visits.ts";
import { linkOf } from "./link-values.ts";
import { oneOf } from "./values.ts";

const flows = {
  "bulk-down": { down: 1, up: 0 },
  "bulk-up": { down: 0, up: 1 },
  "bulk-both": { down: 1, up: 1 },
  "4-bulk-down": { down: 4, up: 0 },
  "4-bulk-up": { down: 0, up: 4 },
  "4-bulk-both": { down: 4, up: 4 },
} as const;
type Bulk = keyof typeof flows;
/** A video of 4 Mb/s in segments of 5 s. A load begins at a random time within 5 s, so that loads meet different parts of a segment. */
const video = "video-down";
const segment = { bytes: 2_500_000, everyMs: backgroundSteps.ms };
/** The value for another page that is loaded again and again (background-visits.ts). */
const page = "page";
/** The value for the same page with an initial window of 3 segments, as in RFC 3390 and in Linux before 2.6.39. */
const pageWithWindow3 = "page-iw3";
const videoMbps = (segment.bytes * 8) / segment.everyMs / 1000;
type Company = Bulk | `${Bulk}-bbr` | typeof video | typeof page | typeof pageWithWindow3;

declare module "../schema/plan.ts" {
  interface AxisValues {
    background: "none" | Company;
  }
}

const otherPage: Background = { down: visit.connections, up: 0, congestion: "cubic", visit: visit.page };
const bulks = Object.keys(flows) as Bulk[];
const known = new Map<Company, Background>([
  ...bulks.map((bulk): [Company, Background] => [bulk, { ...flows[bulk], congestion: "cubic" }]),
  ...bulks.map((bulk): [Company, Background] => [`${bulk}-bbr`, { ...flows[bulk], congestion: "bbr" }]),
  [video, { down: 1, up: 0, congestion: "cubic", segment }],
  [page, otherPage],
  [pageWithWindow3, { ...otherPage, initcwnd: 3 }],
]);
const knownAs = (background: Company | "none") => (background === "none" ? undefined : known.get(background));

/**
 * TCP flows between the client's host and the first server. They are past their start (`settledMs`) when the page is requested, and end
 * after the load's evidence is gathered. Confirmed by the senders' kernels and by the captures, in which each flow began before the load,
 * did not end during the load, and delivered data.
 */
export const axis = defineAxis({
  name: "background",
  shownByAnyLoad: true,
  title:
    "what else is on the link: nothing; bulk TCP flows (to the client, from it, or both ways; CUBIC or BBR); a video of 4 Mb/s; or a page of ten images that is loaded again and again (its server's initial window: as for the measured page, or 3 segments)",
  example: "bulk-up",
  follows: "trace",
  field: "background",
  value: oneOf(["none", ...known.keys()]),
  default: "none",
  unknownBefore: "the lab had background flows",
  label: (background) => (background === "none" ? "an empty link" : `beside ${background}`),
  id: (background) => background,
  sets(background) {
    const asked = knownAs(background);
    return asked ? { background: asked } : {};
  },
  refuses(background, all, registries) {
    const asked = knownAs(background);
    if (!asked) return null;
    const refused = refusedBeside(all) ?? (asked.segment ? refusedVideo(all, registries) : null);
    return refused ?? (asked.visit ? refusedPage(all, registries) : null);
  },
  proves(background, all, { background: seen }, registries) {
    const asked = knownAs(background);
    if (!asked) return verdictOf(seen ? [`${beside(seen)} ran beside the page`] : []);
    if (!seen) return { contradicts: ["no flow ran beside the page"] };
    const { initcwnd = Number(all.initcwnd) } = asked; // all.initcwnd is a number, because adaptive is refused with a background
    const leastMs = settledMs(linkOf(all, registries), asked);
    const problems = problemsOf(asked, seen, { leastMs, initcwnd, initrwnd: all.initrwnd });
    return problems.length > 0 || showsWindow(asked, seen)
      ? verdictOf(problems)
      : { notObservable: "no connection of the other page shows its initial window" };
  },
});

function refusedBeside({ initcwnd, windowScaling }: ConditionValues): string | null {
  if (initcwnd === adaptive)
    return `initcwnd ${adaptive} depends on the client's earlier connections over an empty link; only background none is allowed`;
  return windowScaling === "off"
    ? "without window scaling the flows' windows are too small to fill the link; only background none is allowed"
    : null;
}

function refusedVideo(all: ConditionValues, registries: Registries): string | null {
  const { downMbps } = linkOf(all, registries);
  const needed = (videoMbps * fullFrameBytes) / fullSegmentBytes;
  return downMbps > needed
    ? null
    : `a video needs more than ${needed.toFixed(2)} Mb/s to the client; the link has ${downMbps} Mb/s`;
}

const beside = ({ flows, visits = [] }: BackgroundEvidence): string =>
  visits.length > 0 ? counted(visits.length, "visit") : counted(flows.length, "flow");

interface Expected extends FirstWindows {
  /** How long before the load the flows must have settled. */
  leastMs: number;
}

/** Whether a visit shows the background page's own initial window. True if it has none: the axis `initcwnd` then checks the window. */
const showsWindow = ({ initcwnd }: Background, { visits = [] }: BackgroundEvidence): boolean =>
  initcwnd === undefined ||
  visits.some(({ initcwnd: seen }) => seen?.atLeast === initcwnd || seen?.atMost === initcwnd);

function problemsOf(asked: Background, seen: BackgroundEvidence, { leastMs, ...windows }: Expected): string[] {
  const { flows, visits, before, during, strayPackets } = seen;
  return [
    ...directions.flatMap((direction) => {
      const count = flows.filter((flow) => flow.direction === direction).length;
      const wanted = asked.visit ? 0 : asked[direction];
      return count === wanted ? [] : [`${counted(count, "background flow")} ${direction} instead of ${wanted}`];
    }),
    ...(asked.visit ? [] : flows.flatMap((flow) => flowProblems(flow, asked, leastMs, during.ms))),
    ...(asked.visit
      ? visitsProblems(visits ?? [], { ...asked, ...windows, visit: asked.visit }, { leastMs, loadMs: during.ms })
      : expect(!visits, `${counted(visits?.length ?? 0, "visit")} of another page ran beside the page`)),
    ...(Math.abs(before.ms - leastMs) <= 1 ? [] : [`the background was watched for ${before.ms} ms before the load`]),
    ...(strayPackets > 0 ? [`${counted(strayPackets, "packet")} of an earlier background`] : []),
  ];
}

/** Checks one flow. A bulk flow must have bytes to send, but need not deliver any during the load: it may wait for a retransmission. */
function flowProblems(flow: BackgroundFlow, asked: Background, leastMs: number, loadMs: number): string[] {
  const { direction, clientPort, openedMs, endedMs, congestion, waitingBytes = 0, settledMs = 0, goodBytes } = flow;
  const problems = [
    ...(congestion === undefined || congestion === asked.congestion ? [] : [`used ${congestion}`]),
    ...(settledMs >= leastMs && openedMs >= settledMs
      ? []
      : [`was settled for ${settledMs} of the required ${leastMs} ms when the load began`]),
    ...(goodBytes.ever > 0 ? [] : ["delivered nothing"]),
    ...(endedMs === undefined ? [] : [`ended ${endedMs} ms after the load began`]),
    ...(asked.segment
      ? segmentProblems(goodBytes.ever / asked.segment.bytes, waitingBytes, (openedMs + loadMs) / asked.segment.everyMs)
      : expect(waitingBytes > 0, "had nothing to send when the page had loaded")),
  ];
  return problems.map((problem) => `background flow ${clientPort} ${direction} ${problem}`);
}

/** Checks how many segments a flow delivered since its first segment. A sender without waiting bytes has delivered every segment that it began. */
function segmentProblems(delivered: number, waitingBytes: number, periods: number): string[] {
  const [least, most] = [waitingBytes > 0 ? 0 : Math.floor(periods), Math.floor(periods) + 1];
  const shown = `delivered ${delivered.toFixed(2)} segments instead of ${least} to ${most}`;
  return expect(delivered >= least && delivered <= most, shown);
}
