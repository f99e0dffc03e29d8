import type { Browser } from "puppeteer-core";
import type { Client, ClientOptions, OpenClient } from "../client.ts";
import { KeyLog, keyLogOf } from "../key-log.ts";
import { coldLoad } from "./cold-load.ts";
import { startBrowser } from "./start-chromium.ts";

/** Wraps a running browser as a client of the lab. @param options the options that the browser was started with */
export async function clientOf(browser: Browser, options: ClientOptions): Promise<OpenClient> {
  const keys = new KeyLog(keyLogOf(options));
  return {
    newKeys: () => keys.added(),
    version: await browser.version(),
    sandbox: !browser.process()?.spawnargs.includes("--no-sandbox"),
    load: (visit, steps) => coldLoad(browser, visit, steps, { frames: options.logs, recorded: options.recorded }),
    onEnd: (listener) => void browser.on("disconnected", listener),
    async close() {
      browser.removeAllListeners("disconnected");
      await browser.close();
    },
  };
}

export const client: Client = {
  title: "Chromium (headless shell)",
  userAgent: "HeadlessChrome/",
  userAgentLacks: ".0.0.0 Safari/",
  protocols: ["h1", "h1c", "h2", "h3"],
  open: async (options) => clientOf(await startBrowser(options), options),
};
