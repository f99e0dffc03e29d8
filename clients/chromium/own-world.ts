import type { Frame, Page } from "puppeteer-core";

/** Puppeteer creates an isolated world in each page, but does not export the method that returns it. */
interface WithOwnWorld {
  isolatedRealm(): Pick<Frame, "evaluate">;
}

/** Returns a JavaScript world whose built-in functions the page's scripts cannot replace. The scripts can change the document, which is shared. */
export const ownWorld = (page: Page): Pick<Frame, "evaluate"> =>
  (page.mainFrame() as unknown as WithOwnWorld).isolatedRealm();

/** @returns the promise's value; null if another page has replaced this one */
export const unlessReplaced = <Value>(promise: Promise<Value>): Promise<Value | null> =>
  promise.catch((error: Error) => {
    if (/context was destroyed|Cannot find context/.test(error.message)) return null;
    throw error;
  });
