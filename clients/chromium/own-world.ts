import type { Frame, Page } from "puppeteer-core";

/** Puppeteer has such a world in each page, but does not export it. */
interface WithOwnWorld {
  isolatedRealm(): Pick<Frame, "evaluate">;
}

/**
 * A JavaScript world of the lab's own in the page: whatever the page's scripts override is there as the browser made it. The document
 * is the same, so that a page can still change what belongs to it.
 */
export const ownWorld = (page: Page): Pick<Frame, "evaluate"> =>
  (page.mainFrame() as unknown as WithOwnWorld).isolatedRealm();

/** @returns the promise's value; null if the page has been replaced by another */
export const unlessReplaced = <Value>(promise: Promise<Value>): Promise<Value | null> =>
  promise.catch((error: Error) => {
    if (/context was destroyed|Cannot find context/.test(error.message)) return null;
    throw error;
  });
