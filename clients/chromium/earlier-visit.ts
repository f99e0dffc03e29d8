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
    for (const one of earlier?.instead ?? [url]) await page.goto(one, { waitUntil: "load", timeout: timeoutMs });
    if (untilQuiet) await requests?.untilQuiet?.(timeoutMs);
    // This would also make the browser forget which servers have announced HTTP/3.
    const isEmptied = !earlier?.keepsCache && !earlier?.instead;
    if (isEmptied) await (await page.createCDPSession()).send("Network.clearBrowserCache");
    if (earlier?.isTold) await requests?.catchUp();
    const told = requests && earlier?.isTold ? earlierVisitOf(requests.soFar().evidence()) : null;
    await page.close();
    return told;
  } catch (error) {
    throw new Error(`the visit before the load failed: ${(error as Error).message}`, { cause: error });
  }
}
