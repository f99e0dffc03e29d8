import type { Browser, CDPSession, Page, Protocol as DevTools } from "puppeteer-core";
import type { Evidence } from "./model.ts";

export interface LoadResult {
  /** Navigation start to loadEventStart (Navigation Timing), milliseconds. */
  pageLoadMs: number;
  evidence: Evidence;
}

/** A load that gave no time, with what was seen of it. */
export class LoadFailure extends Error {
  readonly evidence: Evidence;

  constructor(reason: string, evidence: Evidence) {
    super(reason);
    this.evidence = evidence;
  }
}

/**
 * Load a page cold: a browser context of its own has its own sockets, cache, TLS and HTTP/2 sessions.
 * @throws LoadFailure when the page does not load within `timeoutMs`
 */
export async function coldLoad(browser: Browser, url: string, timeoutMs: number): Promise<LoadResult> {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    const recorder = await record(page);
    try {
      await page.goto(url, { waitUntil: "load", timeout: timeoutMs });
    } catch (error) {
      const timedOut = (error as Error).name === "TimeoutError";
      throw new LoadFailure(timedOut ? `timeout: not loaded after ${timeoutMs / 1000} s` : (error as Error).message, recorder.evidence());
    }
    const timing = await navigationTiming(page);
    return { pageLoadMs: timing.loadEventStart ?? NaN, evidence: { ...recorder.evidence(), timing } };
  } finally {
    await context.close();
  }
}

async function navigationTiming(page: Page): Promise<Record<string, number>> {
  const entry = await page.evaluate(() => performance.getEntriesByType("navigation")[0]?.toJSON() as Record<string, unknown>);
  const names = ["connectStart", "connectEnd", "requestStart", "responseStart", "responseEnd", "domContentLoadedEventStart", "loadEventStart"];
  return Object.fromEntries(names.map((name) => [name, Math.round(Number(entry[name]) * 10) / 10])); // Chromium's resolution
}

/** Follow the page's requests by the DevTools protocol. */
async function record(page: Page): Promise<{ evidence(): Evidence }> {
  const session: CDPSession = await page.createCDPSession();
  const responses: DevTools.Network.Response[] = [];
  const counts = { requests: 0, failed: 0, receivedBytes: 0 };
  session.on("Network.requestWillBeSent", ({ request }) => void (counts.requests += request.url.startsWith("data:") ? 0 : 1));
  session.on("Network.responseReceived", ({ response }) => void (response.url.startsWith("data:") || responses.push(response)));
  session.on("Network.loadingFinished", ({ encodedDataLength }) => void (counts.receivedBytes += encodedDataLength));
  session.on("Network.loadingFailed", () => void counts.failed++);
  await session.send("Network.enable");
  return { evidence: () => ({ ...counts, ...summarise(responses), timing: {} }) };
}

function summarise(responses: DevTools.Network.Response[]) {
  const connectionIds: Record<string, Set<number>> = {};
  const protocols: Record<string, number> = {};
  for (const { url, protocol = "?", connectionId } of responses) {
    (connectionIds[new URL(url).hostname] ??= new Set()).add(connectionId);
    protocols[protocol] = (protocols[protocol] ?? 0) + 1;
  }
  return {
    protocols,
    connections: Object.fromEntries(Object.entries(connectionIds).map(([host, ids]) => [host, ids.size])),
    fromCache: responses.filter(({ fromDiskCache, fromPrefetchCache }) => fromDiskCache || fromPrefetchCache).length,
  };
}
