import { environment } from "../../hosts/environment.ts";
import { noNewRights, unprivileged } from "../../hosts/rights.ts";
import { keyExchangeNames } from "../../schema/tls.ts";
import { type ServerSoftware, writeConfiguration } from "../software.ts";

/** Serves only recorded pages, with their redirects, status codes, headers and names. Debian 12's nginx has no HTTP/3. */
export const server: ServerSoftware = {
  title: "replay of recorded pages (Node.js; nginx for HTTP/3)",
  header: "replay",
  protocols: ["h1", "h1c", "h2", "h3"],
  builds: { command: ["nginx", "-V"], protocols: { h3: "--with-http_v3_module" } },
  can: ["replays", "delays", "containsLinks", ...keyExchangeNames],
  versionCommand: ["node", "--version"],
  opensslCommand: ["node", "-p", "process.versions.openssl"],
  command(options) {
    const file = writeConfiguration(options, "replay.json", JSON.stringify(options));
    // Outside guests, main.ts first reads the checkout, then switches to the servers' Unix user, who may not be able to read the checkout.
    const rights = environment.virtualClock ? unprivileged("server") : noNewRights;
    return [...rights, "node", "--import", "tsx", "servers/replay/main.ts", file];
  },
};
