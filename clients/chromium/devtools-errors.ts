/** Errors that a page's console shows: exceptions that nobody caught, `console.error`, and what the browser itself says, such as that it refused a script. */
import type { Page } from "puppeteer-core";
import { mostConsoleErrors } from "../../schema/evidence.ts";

const mostLetters = 200;

/** Collects the texts of a page's errors from now on, each once. */
export type FollowErrors = (page: Page) => Promise<ReadonlySet<string>>;

/**
 * Scripts' errors come by the Runtime domain. Puppeteer enables it in each page, so that to listen costs the page nothing. The browser's own
 * come by the Log domain: here with their source, as requests that failed are in the requests' evidence.
 */
export const followErrors: FollowErrors = async (page) => {
  const errors = new Set<string>();
  const add = (text: string) => {
    if (text !== "" && errors.size < mostConsoleErrors) errors.add(text.slice(0, mostLetters));
  };
  page.on("pageerror", (error) => add(error instanceof Error ? `${error.name}: ${error.message}` : String(error)));
  page.on("console", (message) => {
    const values = message.args(); // what Puppeteer passes on of the Log domain has none
    if (message.type() === "error" && values.length > 0) add(message.text());
    for (const value of values) value.dispose().catch(() => {}); // as Puppeteer does where nobody listens
  });
  const session = await page.createCDPSession();
  session.on("Log.entryAdded", ({ entry: { source, level, text } }) => {
    if (level === "error" && source !== "network") add(text);
  });
  await session.send("Log.enable");
  return errors;
};
