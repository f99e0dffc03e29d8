import type { Frame, Page } from "puppeteer-core";

/** Puppeteer creates an isolated world in each page, but does not export the method that returns it. */
interface WithOwnWorld {
  isolatedRealm(): Pick<Frame, "evaluate">;
}

/**
 * Returns an isolated JavaScript world in the page. Its built-in functions are the browser's, even if the page's scripts have replaced the
 * page's built-in functions. The document is shared, so a page can still change the document and its properties.
 */
export const ownWorld = (page: Page): Pick<Frame, "evaluate"> =>
  (page.mainFrame() as unknown as WithOwnWorld).isolatedRealm();

/** @returns the promise's value; null if another page has replaced this one */
export const unlessReplaced = <Value>(promise: Promise<Value>): Promise<Value | null> =>
  promise.catch((error: Error) => {
    if (/context was destroyed|Cannot find context/.test(error.message)) return null;
    throw error;
  });
