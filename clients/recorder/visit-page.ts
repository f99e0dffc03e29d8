/** Visits a page for a recording: loads it, scrolls if that is wanted, and waits until the network is quiet. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "puppeteer-core";
import { type Activity, networkQuiet } from "../chromium/network-quiet.ts";
import { ownWorld, unlessReplaced } from "../chromium/own-world.ts";
import { answered } from "../chromium/page-answers.ts";
import { dismissDialogs } from "../chromium/page-dialogs.ts";
import { pageSessions } from "../chromium/page-sessions.ts";
import { setWindow } from "../chromium/set-window.ts";
import type { View, ViewName } from "./views.ts";

/** What to visit, and how. */
export interface SiteVisit {
  url: string;
  view: ViewName;
  scrolls: boolean;
  /** For the load and all that follows it. */
  seconds: number;
  /** Accepts invalid certificates. */
  insecure: boolean;
}

/** How the visit ended. `failure` is the browser's reason if the navigation failed; then what was received may still be a page. */
export interface Visited {
  until: "quiet" | "limit";
  failure: string | null;
  /** Whether the whole page was scrolled through; also true if no scrolling was asked for and nothing was scrolled. */
  scrolledToEnd: boolean;
}

/** Pages that load more at their end have no end. */
const mostScreens = 50;
const screenMs = 300;

/** @param say prints what is done next */
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
  // Frames of other sites and workers have their own sessions.
  if (userAgent) await pageSessions(page, (one) => one.session.send("Network.setUserAgentOverride", userAgent));
}

/** Scrolls by most of a screen at a time, as a reader does, so that lazy content is loaded. @returns whether it reached the page's end */
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
