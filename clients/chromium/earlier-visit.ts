import type { BrowserContext, Page } from "puppeteer-core";
import type { EarlierVisit } from "../../schema/discovery.ts";
import type { Visit } from "../client.ts";
import type { RequestsFollower } from "./devtools-requests.ts";
import { dismissDialogs } from "./page-dialogs.ts";
import { earlierVisitOf } from "./requests-evidence.ts";

/**
 * Loads the page, or other URLs, once and closes it, before the load that is measured.
 * @returns how its responses came, if the load's evidence has to say so
 * @throws Error when it does not load
 */
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
    // Chromium remembers announcements by the site of the page that made the request, so the page requests the others.
    if (others.length) await page.evaluate(requestAll, others);
    if (untilQuiet) await requests?.untilQuiet?.(timeoutMs);
    // This would also make the browser forget which servers have announced HTTP/3.
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

/** Runs in the page. Images need not exist: their responses' headers count. */
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
