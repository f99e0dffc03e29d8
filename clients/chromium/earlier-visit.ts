import type { BrowserContext } from "puppeteer-core";
import type { Visit } from "../client.ts";

/** Loads the page once and closes it, before the load that is measured. @throws Error when it does not load */
export async function visitEarlier(context: BrowserContext, { url, timeoutMs, earlier }: Visit): Promise<void> {
  const page = await context.newPage();
  try {
    await page.goto(url, { waitUntil: "load", timeout: timeoutMs });
    if (!earlier?.keepsCache) await (await page.createCDPSession()).send("Network.clearBrowserCache");
  } catch (error) {
    throw new Error(`the visit before the load failed: ${(error as Error).message}`, { cause: error });
  }
  await page.close();
}
