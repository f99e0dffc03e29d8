import { environment } from "../../hosts/environment.ts";
import { noNewRights, unprivileged } from "../../hosts/rights.ts";
import { keyExchangeNames } from "../../schema/tls.ts";
import { type ServerSoftware, writeConfiguration } from "../software.ts";

/** The SPDY paper's server, Express-SPDY, was written for Node.js, too. */
export const server: ServerSoftware = {
  title: "Node.js http2/https/http, spdy-transport",
  header: "node",
  protocols: ["h1", "h1c", "h2", "spdy2", "spdy3.1"],
  can: ["caching", "delays", "containsLinks", "gzip", "br", ...keyExchangeNames],
  versionCommand: ["node", "--version"],
  opensslCommand: ["node", "-p", "process.versions.openssl"],
  command(options) {
    const file = writeConfiguration(options, "node-server.json", JSON.stringify(options));
    // Outside guests, main.ts first reads the checkout, then switches to the servers' Unix user, who may not be able to read the checkout.
    const rights = environment.virtualClock ? unprivileged("server") : noNewRights;
    return [...rights, "node", "--import", "tsx", "servers/node/main.ts", file];
  },
};
