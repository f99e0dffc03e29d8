import type { BrowserContext, Page } from "puppeteer-core";
import type { Visit } from "../client.ts";
import type { RequestsFollower } from "./devtools-requests.ts";
import { dismissDialogs } from "./page-dialogs.ts";

/** Loads the page once and closes it, before the load that is measured. @throws Error when it does not load */
export async function visitEarlier(
  context: BrowserContext,
  { url, timeoutMs, earlier, untilQuiet }: Visit,
  follow: (page: Page) => Promise<RequestsFollower>,
): Promise<void> {
  const page = await context.newPage();
  dismissDialogs(page);
  try {
    const requests = untilQuiet ? await follow(page) : null;
    await page.goto(url, { waitUntil: "load", timeout: timeoutMs });
    await requests?.untilQuiet?.(timeoutMs);
    if (!earlier?.keepsCache) await (await page.createCDPSession()).send("Network.clearBrowserCache");
  } catch (error) {
    throw new Error(`the visit before the load failed: ${(error as Error).message}`, { cause: error });
  }
  await page.close();
}
