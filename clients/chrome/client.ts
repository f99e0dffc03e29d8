import { clientOf } from "../chromium/client.ts";
import { startBrowser } from "../chromium/start-chromium.ts";
import type { Client } from "../client.ts";

/** Not /usr/bin/chromium, Debian's script, which would add options from the machine's /etc/chromium.d. */
const program = "/usr/lib/chromium/chromium";

/** No speculative connections: they would be opened before the load starts. */
const preferences = { net: { network_prediction_options: 2 } }; // "no preloading" in Chromium's settings

/** Full Chromium in its new headless mode: the browser that users have, without the window. */
export const client: Client = {
  title: "Chromium (full browser, headless)",
  // Only the major version is sent (user-agent reduction); the headless shell sends the full version.
  userAgent: ".0.0.0 Safari/",
  protocols: ["h1", "h1c", "h2", "h3"],
  program,
  open: async (options) => clientOf(await startBrowser(options, { program, preferences }), options),
};
