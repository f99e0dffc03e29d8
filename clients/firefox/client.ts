import { environment } from "../../hosts/environment.ts";
import { clientOf } from "../chromium/client.ts";
import { coldLoad } from "../chromium/cold-load.ts";
import type { Client } from "../client.ts";
import { followMoments } from "./bidi-moments.ts";
import { followRequests } from "./bidi-requests.ts";
import { browserProgram, startBrowser } from "./start-firefox.ts";

export const client: Client = {
  title: "Firefox (ESR, headless)",
  userAgent: "Firefox/",
  protocols: ["h1", "h1c", "h2", "h3"],
  forcesWholeHosts: true,
  program: browserProgram,
  drivenBy: "WebDriver BiDi",
  async open(options) {
    const browser = await startBrowser(options);
    return {
      ...(await clientOf(browser, options)),
      sandbox: !environment.virtualClock,
      load: (visit, steps) =>
        coldLoad(browser, visit, steps, { follow: { requests: followRequests, moments: followMoments } }),
    };
  },
};
