/** The errors in a page's console: uncaught exceptions, `console.error`, and the browser's own messages, for example about a blocked script. */
import type { Page } from "puppeteer-core";
import { mostConsoleErrors } from "../../schema/evidence.ts";

const mostLetters = 200;

export type FollowErrors = (page: Page) => Promise<ReadonlySet<string>>;

/** Scripts' errors come from the Runtime domain, which Puppeteer enables in any case. The browser's own errors come from the Log domain. */
export const followErrors: FollowErrors = async (page) => {
  const errors = new Set<string>();
  const add = (text: string) => {
    if (text !== "" && errors.size < mostConsoleErrors) errors.add(text.slice(0, mostLetters));
  };
  page.on("pageerror", (error) => add(error instanceof Error ? `${error.name}: ${error.message}` : String(error)));
  page.on("console", (message) => {
    const values = message.args(); // messages that Puppeteer forwards from the Log domain have no arguments
    if (message.type() === "error" && values.length > 0) add(message.text());
    for (const value of values) value.dispose().catch(() => {}); // Puppeteer disposes of them only if there is no listener
  });
  const session = await page.createCDPSession();
  session.on("Log.entryAdded", ({ entry: { source, level, text } }) => {
    if (level === "error" && source !== "network") add(text); // the evidence lists failed requests
  });
  await session.send("Log.enable");
  return errors;
};
