import type { Browser, BrowserContext } from "puppeteer-core";
import type { InLab } from "./in-lab.ts";

/** Makes the browser give every load the same context, if the fault needs this. */
export function faultyBrowser(browser: Browser, { sharesContext, withoutCache }: InLab): Browser {
  if (!sharesContext) return browser;
  let shared: BrowserContext | null = null;
  const createBrowserContext = async () => {
    shared ??= await browser.createBrowserContext();
    const newPage = async () => {
      const page = await shared!.newPage();
      if (withoutCache) {
        // Puppeteer's own method requires its request tracking, which startBrowser switches off.
        const session = await page.createCDPSession();
        await session.send("Network.enable");
        await session.send("Network.setCacheDisabled", { cacheDisabled: true });
      }
      return page;
    };
    const replaced: Record<string | symbol, unknown> = { newPage, close: async () => {} };
    return new Proxy(shared, { get: (target, key) => replaced[key] ?? bound(target, key) });
  };
  return new Proxy(browser, {
    get: (target, key) => (key === "createBrowserContext" ? createBrowserContext : bound(target, key)),
  });
}

function bound(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key);
  return typeof value === "function" ? value.bind(target) : value;
}
