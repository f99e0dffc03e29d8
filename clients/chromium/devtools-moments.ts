/** Reads the times of a page's load event and paints from DevTools. The page's scripts cannot change these times: the browser measures them. */
import type { Page } from "puppeteer-core";
import type { PaintEvidence } from "../../schema/evidence.ts";
import { cumulativeLayoutShift, type LayoutShift } from "./layout-shift.ts";

type ProtocolPaint = NonNullable<PaintEvidence["byProtocol"]>;

/** Times of a page's events (ms since navigation start), as the protocol that drives the browser reports them. */
export interface MomentsFollower {
  /** Returns when the load event ended; null if there was none. @param originMs the page's time origin, ms since the epoch */
  loadedMs(originMs: number): Promise<number | null>;
  /** Returns the times of the paints; null if nothing was painted. Absent if the protocol does not report paints. */
  paint?(originMs: number): Promise<ProtocolPaint | null>;
  /** Returns the cumulative layout shift until now. Absent if the protocol does not report layout shifts. */
  layoutShift?(): Promise<number>;
  /** The URL (before redirects, if known) of a page that replaced the first one; null if none did. Absent if the protocol does not report it. */
  goesOnTo?(): string | null;
}

export type FollowMoments = (page: Page) => Promise<MomentsFollower>;

/** Rounds to Chromium's resolution. */
export const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/** Observes the first page that is loaded after this call. Events of a page that replaces it are kept separate. */
export const followMoments: FollowMoments = async (page) => {
  const session = await page.createCDPSession();
  /** Loader id of a document in the main frame -> times of its lifecycle events, s. The page and each renderer start with an empty document. */
  const documents = new Map<string, Map<string, number>>();
  let frame: string | undefined;
  let largest: { time: number; url?: string; loadTime: number } | null = null;
  session.on("Page.lifecycleEvent", ({ frameId, loaderId, name, timestamp }) => {
    frame ??= frameId;
    if (frameId !== frame) return;
    const moments = documents.get(loaderId) ?? new Map<string, number>();
    if (!moments.has(name)) moments.set(name, timestamp);
    documents.set(loaderId, moments);
  });
  /** The page's committed navigations, in order; the first is the page that the lab requested. */
  const committed: { url: string; loaderId: string }[] = [];
  let requested: string | null = null;
  session.on("Page.frameNavigated", ({ frame: { parentId, url, loaderId } }) => {
    if (parentId === undefined && url !== "about:blank") committed.push({ url, loaderId });
  });
  session.on("Page.frameRequestedNavigation", ({ frameId, url, disposition }) => {
    if (frameId === frame && disposition === "currentTab") requested = url;
  });
  const shifts: LayoutShift[] = [];
  session.on("PerformanceTimeline.timelineEventAdded", ({ event }) => {
    const { frameId, time, lcpDetails, layoutShiftDetails: shift } = event;
    if (frameId !== frame) return;
    if (lcpDetails) largest = { time, ...lcpDetails };
    if (shift && !shift.hadRecentInput) shifts.push({ atSeconds: time, score: shift.value });
  });
  await Promise.all([
    session.send("Page.enable"),
    session.send("Page.setLifecycleEventsEnabled", { enabled: true }),
    session.send("PerformanceTimeline.enable", { eventTypes: ["largest-contentful-paint", "layout-shift"] }),
    session.send("Performance.enable"),
  ]);
  /** Waits for all earlier events, which the browser sends before it answers. @returns an event's name -> ms since navigation start */
  async function sinceNavigation(): Promise<(name: string) => number | null> {
    const { metrics } = await session.send("Performance.getMetrics");
    const start = metrics.find(({ name }) => name === "NavigationStart")?.value ?? Number.NaN;
    const moments = documents.get(committed[0]?.loaderId ?? "");
    return (name) => {
      const moment = moments?.get(name);
      return moment === undefined ? null : tenths((moment - start) * 1000);
    };
  }
  return {
    // A request alone does not replace the page: the URL may be a download or something else that the browser does not display.
    goesOnTo: () => (committed.length > 1 ? (requested ?? committed.at(-1)!.url) : null),
    loadedMs: async () => (await sinceNavigation())("load"),
    async layoutShift() {
      await sinceNavigation();
      return cumulativeLayoutShift(shifts);
    },
    async paint(originMs) {
      const firstContentfulMs = (await sinceNavigation())("firstContentfulPaint");
      if (firstContentfulMs === null) return null;
      if (!largest) return { firstContentfulMs };
      const sinceOrigin = (time: number) => tenths(time * 1000 - originMs);
      const { time, url, loadTime } = largest;
      const image = /^https?:/.test(url ?? "") ? { image: { url: url!, loadedMs: sinceOrigin(loadTime) } } : {};
      return { firstContentfulMs, largestMs: sinceOrigin(time), ...image };
    },
  };
};
