/** A page's load event as Firefox reports it through WebDriver BiDi. */
import type { Page } from "puppeteer-core";
import type { FollowMoments } from "../chromium/devtools-moments.ts";
import { connectionOf } from "./bidi-requests.ts";

/** https://www.w3.org/TR/webdriver-bidi/#event-browsingContext-load. `timestamp` is in whole milliseconds since the epoch. */
interface LoadEvent {
  context: string;
  timestamp: number;
}

/** Returns the main frame's id, because other frames have load events, too. Puppeteer does not export the property. */
const contextOf = (page: Page) => (page.mainFrame() as unknown as { _id: string })._id;

export const followMoments: FollowMoments = async (page) => {
  const events = connectionOf(page);
  const loaded: number[] = [];
  const own = contextOf(page);
  const note = ({ context, timestamp }: LoadEvent) => void (context === own && loaded.push(timestamp));
  events.on("browsingContext.load", note);
  page.once("close", () => void events.off("browsingContext.load", note));
  return {
    loadedMs: async (originMs) => (loaded[0] === undefined ? null : Math.round((loaded[0] - originMs) * 10) / 10),
  };
};
