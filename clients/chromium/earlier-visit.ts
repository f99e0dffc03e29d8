import type { BrowserContext, Page } from "puppeteer-core";
import type { EarlierVisit } from "../../schema/discovery.ts";
import type { Visit } from "../client.ts";
import type { RequestsFollower } from "./devtools-requests.ts";
import { dismissDialogs } from "./page-dialogs.ts";
import { earlierVisitOf } from "./requests-evidence.ts";

/** Makes the visit `earlier` before the measured load. @returns a summary of its responses if `earlier.isTold`, else null @throws if it fails */
export async function visitEarlier(
  context: BrowserContext,
  { url, timeoutMs, earlier, untilQuiet }: Visit,
  follow: (page: Page) => Promise<RequestsFollower>,
): Promise<EarlierVisit | null> {
  const page = await context.newPage();
  dismissDialogs(page);
  try {
    const requests = untilQuiet || earlier?.isTold ? await follow(page) : null;
    const [first = url, ...others] = earlier?.instead ?? [];
    await page.goto(first, { waitUntil: "load", timeout: timeoutMs });
    // Chromium keeps announcements of HTTP/3 separately for each requesting page's site, so this page requests the other URLs.
    if (others.length) await page.evaluate(requestAll, others);
    if (untilQuiet) await requests?.untilQuiet?.(timeoutMs);
    // With `instead` the cache stays: clearing it would also make the browser forget which servers have announced HTTP/3.
    const isEmptied = !earlier?.keepsCache && !earlier?.instead;
    if (isEmptied) await (await page.createCDPSession()).send("Network.clearBrowserCache");
    if (earlier?.isTold) await requests?.catchUp();
    const told = requests && earlier?.isTold ? earlierVisitOf(requests.soFar().evidence()) : null;
    await page.close();
    return told;
  } catch (error) {
    throw new Error(`the earlier visit, which comes before the load, failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Requests each URL as an image; runs in the page. The images need not exist, because only the headers of the responses matter. */
const requestAll = (urls: string[]) =>
  Promise.all(
    urls.map(
      (url) =>
        new Promise((done) => {
          const image = new Image();
          image.onload = image.onerror = done;
          image.src = url;
        }),
    ),
  ).then(() => {});
