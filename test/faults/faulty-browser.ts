import type { Browser, BrowserContext } from "puppeteer-core";
import type { Settings } from "../../schema/settings.ts";
import type { InLab } from "./in-lab.ts";

/** A browser that applies the fault whenever a load requests a new context. If the fault shares a context, every load gets the same one. */
export function faultyBrowser(
  browser: Browser,
  { apply, sharesContext, withoutCache }: InLab,
  configured: Settings,
): Browser {
  let shared: BrowserContext | null = null;
  const createBrowserContext = async () => {
    await apply(configured);
    if (!sharesContext) return browser.createBrowserContext();
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
