import { clientOf } from "../chromium/client.ts";
import { startBrowser } from "../chromium/start-chromium.ts";
import type { Client } from "../client.ts";

/** Debian's script before it would add what the machine's /etc/chromium.d says. */
const program = "/usr/lib/chromium/chromium";

/** What it would guess that a page is about to need it would connect to before the load asks for it. */
const preferences = { net: { network_prediction_options: 2 } }; // "no preloading", in its settings

/** All of Chromium, by its new headless mode: what a user has, but for the window. */
export const client: Client = {
  title: "Chromium (all of it, without a window)",
  // It says its major version alone, as Chromium's users do (user-agent reduction); the headless shell says all of it.
  userAgent: ".0.0.0 Safari/",
  protocols: ["h1", "h1c", "h2", "h3"],
  program,
  open: async (options) => clientOf(await startBrowser(options, { program, preferences }), options.logs),
};
