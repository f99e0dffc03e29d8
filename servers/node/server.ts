import { writeFileSync } from "node:fs";
import { noNewRights } from "../../hosts/rights.ts";
import type { ServerSoftware } from "../software.ts";

/** Node's own http2, https and http, as node-spdy stood on them: the paper's Express-SPDY, in its language. */
export const server: ServerSoftware = {
  title: "Node.js http2/https/http, spdy-transport",
  header: "node",
  protocols: ["h1", "h1c", "h2", "spdy2", "spdy3.1"],
  thinks: true,
  versionCommand: ["node", "--version"],
  opensslCommand: ["node", "-p", "process.versions.openssl"],
  command(options) {
    const file = `${options.scratch}/node-server.json`;
    writeFileSync(file, JSON.stringify(options));
    return [...noNewRights, "node", "--import", "tsx", "servers/node/main.ts", file];
  },
};
