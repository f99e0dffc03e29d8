/** Visits a page for a recording: loads it, scrolls if requested, and waits until the network is quiet. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "puppeteer-core";
import { type Activity, networkQuiet } from "../chromium/network-quiet.ts";
import { ownWorld, unlessReplaced } from "../chromium/own-world.ts";
import { answered } from "../chromium/page-answers.ts";
import { dismissDialogs } from "../chromium/page-dialogs.ts";
import { pageSessions } from "../chromium/page-sessions.ts";
import { setWindow } from "../chromium/set-window.ts";
import type { View, ViewName } from "./views.ts";

export interface SiteVisit {
  url: string;
  view: ViewName;
  scrolls: boolean;
  /** Time limit for the whole visit. */
  seconds: number;
  /** Accepts invalid certificates. */
  insecure: boolean;
}

/** How the visit ended. `failure` is the browser's reason if the navigation failed; the received responses may still form a page. */
export interface Visited {
  until: "quiet" | "limit";
  failure: string | null;
  /** Whether scrolling reached the page's end; also true if the visit does not scroll. */
  scrolledToEnd: boolean;
}

/** The most screens to scroll. A limit is needed because some pages load more content whenever a user reaches the end. */
const mostScreens = 50;
const screenMs = 300;

export async function visitPage(
  browser: Browser,
  { url, scrolls, seconds }: SiteVisit,
  view: View,
  activity: Activity,
  say: (text: string) => void,
): Promise<Visited> {
  const endMs = performance.now() + seconds * 1000;
  const leftMs = () => Math.max(1, endMs - performance.now());
  const page = await browser.newPage();
  dismissDialogs(page);
  await setView(page, view);
  say(`loading ${url}`);
  const { TimeoutError } = await import("puppeteer-core");
  const failure = await page.goto(url, { waitUntil: "load", timeout: leftMs() }).then(
    () => null,
    (error: Error) => error,
  );
  if (failure instanceof TimeoutError) return { until: "limit", failure: null, scrolledToEnd: !scrolls };
  if (failure) return { until: "quiet", failure: failure.message, scrolledToEnd: !scrolls };
  say("loaded; waiting until the network is quiet");
  const until = await networkQuiet(activity, leftMs());
  if (!scrolls || until === "limit") return { until, failure: null, scrolledToEnd: !scrolls };
  say("scrolling to the page's end");
  const scrolledToEnd = await scrollDown(page, leftMs);
  return { until: await networkQuiet(activity, leftMs()), failure: null, scrolledToEnd };
}

async function setView(page: Page, { userAgent, ...size }: View): Promise<void> {
  await setWindow(page, size);
  // Every session needs the user agent, because workers and frames of other sites have their own sessions.
  if (userAgent) await pageSessions(page, (one) => one.session.send("Network.setUserAgentOverride", userAgent));
}

/** Scrolls by less than a screen at a time, so that lazy content is loaded. @returns whether the page's end was reached */
async function scrollDown(page: Page, leftMs: () => number): Promise<boolean> {
  const step = () => {
    scrollBy({ top: innerHeight * 0.8, behavior: "instant" });
    const { scrollHeight } = document.scrollingElement ?? document.documentElement;
    return scrollY + innerHeight < scrollHeight - 1;
  };
  for (let screen = 0; screen < mostScreens && leftMs() > screenMs; screen++) {
    const isMore = await unlessReplaced(answered(ownWorld(page).evaluate(step)));
    await sleep(screenMs);
    if (!isMore) return true;
  }
  return false;
}
