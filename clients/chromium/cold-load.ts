import type { Browser, Page } from "puppeteer-core";
import type { EarlierVisit } from "../../schema/discovery.ts";
import { type ClientEvidence, navigationMoments, type PaintEvidence } from "../../schema/evidence.ts";
import type { Cause, Failure } from "../../schema/failure.ts";
import { urlInRecords } from "../../schema/recorded-names.ts";
import { ClientHangs, type ClientOptions, type Loaded, type LoadSteps, timedOut, type Visit } from "../client.ts";
import { type FollowErrors, followErrors } from "./devtools-errors.ts";
import { type FollowMoments, followMoments, type MomentsFollower, tenths } from "./devtools-moments.ts";
import { followRequests, type RequestsFollower } from "./devtools-requests.ts";
import { visitEarlier } from "./earlier-visit.ts";
import { ownWorld, unlessReplaced } from "./own-world.ts";
import { answered, inTime, patienceMs } from "./page-answers.ts";
import { dismissDialogs } from "./page-dialogs.ts";
import { paintOf } from "./paint-timing.ts";
import { windowOf } from "./picture.ts";
import { replacedBy } from "./replaced-by.ts";
import { film } from "./screencast.ts";
import { setWindow } from "./set-window.ts";
import { slowDown } from "./slowdown.ts";

/** Observes a page's requests from now on. @param inRecords converts a URL to the form that evidence uses */
export type FollowRequests = (page: Page, inRecords?: (url: string) => string) => Promise<RequestsFollower>;

/** How to observe a page through the protocol that drives its browser: DevTools or WebDriver BiDi. */
export interface Follow {
  requests: FollowRequests;
  moments: FollowMoments;
  errors?: FollowErrors;
}
const byDevTools: Follow = { requests: followRequests, moments: followMoments, errors: followErrors };

export interface ColdLoadOptions {
  follow?: Follow;
  /** A folder for screenshots. */
  frames?: string | undefined;
  recorded?: ClientOptions["recorded"];
}

/** Loads a page in a new browser context, which shares no sockets, cache, TLS or HTTP/2 sessions with earlier loads. */
export async function coldLoad<T>(
  browser: Browser,
  visit: Visit,
  { prepare, part, begin, look, show }: LoadSteps<T>,
  { follow = byDevTools, frames, recorded }: ColdLoadOptions = {},
): Promise<T> {
  const { cpuSlowdown, earlier, window } = visit;
  let prepared = prepare?.();
  prepared?.catch(() => {}); // prevents an unhandled rejection if the promise fails before it is awaited
  const context = await done("make a context", browser.createBrowserContext());
  try {
    let told: EarlierVisit | null = null;
    if (earlier) {
      await prepared;
      told = await visitEarlier(context, visit, follow.requests);
      await part?.();
      prepared = prepare?.();
      prepared?.catch(() => {});
    }
    const page = await done("open a page", context.newPage());
    // If "request" has listeners, Puppeteer adds three more for each request in Firefox, which takes half a minute for 5,000 requests.
    page.removeAllListeners("request");
    const inRecords = recorded && ((one: string) => urlInRecords(one, recorded.names, recorded.protocol));
    if (window) await setWindow(page, window);
    const requests = await follow.requests(page, inRecords);
    const moments = await follow.moments(page);
    const errors = await follow.errors?.(page);
    const dialogs = dismissDialogs(page);
    const endFilm = frames === undefined ? null : await film(page, frames);
    const slowed = cpuSlowdown === undefined ? null : await slowDown(page, cpuSlowdown);
    await prepared;
    await begin?.();
    const { paintsLater, ...loaded } = await Promise.race([load(page, visit, { requests, moments }), crash(page)]);
    const ask = <T>(promise: Promise<T>): Promise<T> => Promise.race([answered(promise), crash(page)]);
    const afterwards = async (): Promise<Partial<ClientEvidence>> => {
      const shown = { ...(dialogs.length && { dialogs }), ...(errors?.size && { consoleErrors: [...errors] }) };
      if (loaded.failure) return shown;
      const paint = await ask(paintOf(page, moments, !paintsLater));
      const shift = paintsLater || !moments.layoutShift ? null : await ask(moments.layoutShift());
      if (loaded.beginnings && endFilm) await ask(endFilm(loaded.beginnings.navigationMs));
      const slowdown = slowed && (await ask(slowed()));
      if (show) show(await ask(windowOf(page, inRecords)));
      return {
        ...shown,
        ...(paint && { paint: inRecords ? paintIn(paint, inRecords) : paint }),
        ...(shift !== null && { cumulativeLayoutShift: shift }),
        ...(slowdown && { slowdown }),
      };
    };
    const evidence = { ...loaded.evidence, ...(told && { earlier: told }) };
    return await look({ ...loaded, evidence, afterwards });
  } finally {
    await done("close its context", context.close());
  }
}

function paintIn(paint: PaintEvidence, inRecords: (url: string) => string): PaintEvidence {
  const { byProtocol } = paint;
  if (!byProtocol?.image) return paint;
  return {
    ...paint,
    byProtocol: { ...byProtocol, image: { ...byProtocol.image, url: inRecords(byProtocol.image.url) } },
  };
}

/** Limits the time of a step, because a browser may wait forever for a process that has crashed. @throws ClientHangs */
const done = <T>(what: string, promise: Promise<T>): Promise<T> =>
  inTime(promise, patienceMs, () => new ClientHangs(`the browser did not ${what} within ${patienceMs / 1000} s`));

interface Followers {
  requests: RequestsFollower;
  moments: MomentsFollower;
}

/** @returns also `paintsLater`: whether the page's largest paint is unknown, because the time limit ended the recording */
async function load(
  page: Page,
  { url, timeoutMs, untilQuiet }: Visit,
  { requests, moments }: Followers,
): Promise<Loaded & { paintsLater?: boolean }> {
  let failure: Failure | null = null;
  let cause: Cause = "transfer broken";
  let navigation: Awaited<ReturnType<typeof navigationTiming>> = null;
  let recordedUntil: ClientEvidence["recordedUntil"];
  let loadedMs: number | null = null;
  try {
    await page.goto(url, { waitUntil: "load", timeout: timeoutMs });
    cause = "after loading";
    navigation = await answered(navigationTiming(page));
    if (navigation && untilQuiet) recordedUntil = await requests.untilQuiet?.(timeoutMs);
    if (recordedUntil && (await answered(navigationTiming(page)))?.originMs !== navigation?.originMs) navigation = null;
    await answered(requests.catchUp());
    if (navigation) loadedMs = await answered(moments.loadedMs(navigation.originMs));
    if (!navigation) failure = { cause, reason: replacedBy(url, null) };
    else if (loadedMs === null) failure = { cause, reason: unwitnessed };
  } catch (error) {
    // Compares the class instead of its name, because bundling may rename classes.
    const { TimeoutError } = await import("puppeteer-core");
    failure = error instanceof TimeoutError ? timedOut(timeoutMs) : { cause, reason: (error as Error).message };
  }
  const next = moments.goesOnTo?.() ?? null;
  if (next !== null) failure = { cause: "after loading", reason: replacedBy(url, next) };
  const seen = requests.soFar();
  if (!navigation || loadedMs === null || failure)
    return { failure, evidence: { ...seen.evidence(), timing: {} }, beginnings: null };
  const { timing, originMs } = navigation;
  const { firstRequestMs } = seen;
  // `loadedMs` is the end of the load event; a page cannot falsify it. The evidence needs the event's start, so the event's duration is subtracted.
  const eventMs = timing.loadEventEnd! - timing.loadEventStart!;
  return {
    failure,
    evidence: {
      ...seen.evidence(loadedMs - eventMs),
      ...(recordedUntil && { recordedUntil }),
      ...{ timing, loadedByProtocolMs: loadedMs },
    },
    beginnings: firstRequestMs === null ? null : { navigationMs: originMs, firstRequestMs },
    paintsLater: recordedUntil === "limit" && seen.paintsLater === true,
  };
}

const unwitnessed = "the page loaded, but the browser's own protocol reported no load event";

/** Rejects when the page's process crashes, because pending calls to the page would never settle. */
function crash(page: Page): Promise<never> {
  return new Promise((_, reject) => page.once("error", reject));
}

const readMoments = [...navigationMoments, "loadEventEnd"] as const;

/** @returns null if another page has replaced this one */
async function navigationTiming(page: Page): Promise<{ timing: Record<string, number>; originMs: number } | null> {
  const read = (names: typeof readMoments) => {
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return { moments: names.map((name) => [name, entry![name]] as const), originMs: performance.timeOrigin };
  };
  const found = await unlessReplaced(ownWorld(page).evaluate(read, readMoments));
  if (!found) return null;
  const { moments, originMs } = found;
  // Firefox may start to connect before its navigation start. Times then count from the start of connecting.
  const startMs = Math.min(0, ...moments.map(([, ms]) => ms));
  return {
    timing: Object.fromEntries(moments.map(([name, ms]) => [name, tenths(ms - startMs)])),
    originMs: originMs + startMs,
  };
}
