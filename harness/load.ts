import type { Browser, Page } from "puppeteer-core";
import { followRequests, type BrowserEvidence } from "./evidence/requests.ts";

/** What the browser says of one load. */
export interface LoadedPage {
  /** Why there is no page load time, or null. */
  problem: string | null;
  browser: BrowserEvidence;
  /** Navigation Timing (W3C), milliseconds from navigation start. */
  timing: Record<string, number>;
}

/**
 * Load a page cold: a browser context of its own has its own sockets, cache, TLS and HTTP/2 sessions.
 * @param look called when the page has loaded, or has failed to, while its connections are still open
 */
export async function coldLoad<T>(browser: Browser, url: string, timeoutMs: number, look: (loaded: LoadedPage) => Promise<T>): Promise<T> {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    const evidence = await followRequests(page);
    let problem: string | null = null;
    try {
      await Promise.race([page.goto(url, { waitUntil: "load", timeout: timeoutMs }), crash(page)]);
    } catch (error) {
      const timedOut = (error as Error).name === "TimeoutError";
      problem = timedOut ? `timeout: not loaded after ${timeoutMs / 1000} s` : (error as Error).message;
    }
    const timing = problem ? {} : await navigationTiming(page);
    return await look({ problem, browser: evidence(), timing });
  } finally {
    await context.close();
  }
}

/** Rejects when the page's process dies: its navigation would wait for ever. */
function crash(page: Page): Promise<never> {
  return new Promise((_, reject) => page.once("error", reject));
}

async function navigationTiming(page: Page): Promise<Record<string, number>> {
  const entry = await page.evaluate(() => performance.getEntriesByType("navigation")[0]?.toJSON() as Record<string, unknown>);
  const names = ["connectStart", "connectEnd", "requestStart", "responseStart", "responseEnd", "domContentLoadedEventStart", "loadEventStart"];
  return Object.fromEntries(names.map((name) => [name, Math.round(Number(entry[name]) * 10) / 10])); // Chromium's resolution
}
