import type { Frame, Page } from "puppeteer-core";

/** Puppeteer creates an isolated world in each page, but does not export the method for it. */
interface WithOwnWorld {
  isolatedRealm(): Pick<Frame, "evaluate">;
}

/**
 * An isolated JavaScript world in the page, where built-ins that the page's scripts override are still the browser's own. The document
 * is shared, so a page can still change what belongs to it.
 */
export const ownWorld = (page: Page): Pick<Frame, "evaluate"> =>
  (page.mainFrame() as unknown as WithOwnWorld).isolatedRealm();

/** @returns the promise's value; null if the page has been replaced by another */
export const unlessReplaced = <Value>(promise: Promise<Value>): Promise<Value | null> =>
  promise.catch((error: Error) => {
    if (/context was destroyed|Cannot find context/.test(error.message)) return null;
    throw error;
  });
