import type { Browser } from "puppeteer-core";
import type { Client, OpenClient } from "../client.ts";
import { coldLoad } from "./cold-load.ts";
import { startBrowser } from "./start-chromium.ts";

/** A running browser as the lab's client. @param logs a folder for screenshots of its pages */
export async function clientOf(browser: Browser, logs?: string): Promise<OpenClient> {
  return {
    version: await browser.version(),
    sandbox: !browser.process()?.spawnargs.includes("--no-sandbox"),
    load: (visit, steps) => coldLoad(browser, visit, steps, { frames: logs }),
    onEnd: (listener) => void browser.on("disconnected", listener),
    async close() {
      browser.removeAllListeners("disconnected");
      await browser.close();
    },
  };
}

/** Chromium's headless shell, driven by Puppeteer. */
export const client: Client = {
  title: "Chromium (headless shell)",
  userAgent: "HeadlessChrome/",
  userAgentLacks: ".0.0.0 Safari/",
  protocols: ["h1", "h1c", "h2", "h3"],
  open: async (options) => clientOf(await startBrowser(options), options.logs),
};
