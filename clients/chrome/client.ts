import { clientOf } from "../chromium/client.ts";
import { startBrowser } from "../chromium/start-chromium.ts";
import type { Client } from "../client.ts";

/** The browser's binary. Debian's script /usr/bin/chromium is not used, because it adds options from the machine's /etc/chromium.d. */
const program = "/usr/lib/chromium/chromium";

/** Turns off speculative connections, which the browser would open before the load starts. */
const preferences = { net: { network_prediction_options: 2 } }; // "no preloading" in Chromium's settings

export const client: Client = {
  title: "Chromium (full browser, headless)",
  // The full browser sends only its major version (user-agent reduction); the headless shell sends the full version.
  userAgent: ".0.0.0 Safari/",
  protocols: ["h1", "h1c", "h2", "h3"],
  program,
  open: async (options) => clientOf(await startBrowser(options, { program, preferences }), options),
};
