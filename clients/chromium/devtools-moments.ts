/** A page's moments as DevTools reports them. The page's scripts cannot change them, because they come from the browser itself. */
import type { Page } from "puppeteer-core";
import type { PaintEvidence } from "../../schema/evidence.ts";
import { cumulativeLayoutShift, type LayoutShift } from "./layout-shift.ts";

type ProtocolPaint = NonNullable<PaintEvidence["byProtocol"]>;

/** A page's moments since navigation start, as the browser's own protocol reports them. */
export interface MomentsFollower {
  /** When the load event ended; null if there was none. @param originMs the origin of the page's times, since the epoch */
  loadedMs(originMs: number): Promise<number | null>;
  /** null if nothing was painted; absent if the protocol does not report paints. */
  paint?(originMs: number): Promise<ProtocolPaint | null>;
  /** The cumulative layout shift until now; absent if the protocol does not report it. */
  layoutShift?(): Promise<number>;
  /** The URL of the page that replaced the first, or was requested to replace it; null if there is none; absent if it is not reported. */
  goesOnTo?(): string | null;
}

/** Observes a page's moments from now on. */
export type FollowMoments = (page: Page) => Promise<MomentsFollower>;

const tenths = (ms: number) => Math.round(ms * 10) / 10; // Chromium's resolution

/** Observes the first page that is loaded after this call. Moments of a page that replaces it are kept separate. */
export const followMoments: FollowMoments = async (page) => {
  const session = await page.createCDPSession();
  /** Times of the main frame's lifecycle events, by document, including the empty documents that the page and each new renderer start with. */
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
  /** The page's navigations in the order in which they began; the first is the requested one. */
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
  /** Looks up moments relative to navigation start. The browser answers after all earlier events, so no moment is missed. */
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
    // The requested URL may be a download, or something that a browser does not display; then the first page stays.
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
