import { writeFileSync } from "node:fs";
import { programsDirectory } from "../../hosts/control.ts";
import { unprivileged } from "../../hosts/rights.ts";
import { opensslDefaults } from "../openssl.ts";
import {
  importedHeader,
  importedPrefix,
  mediaTypes,
  otherType,
  type ServerOptions,
  type ServerSoftware,
  warmingPath,
} from "../software.ts";

const folder = `${programsDirectory}/aioquic`;
/** Debian's own Python, whichever stands first in a PATH; with nothing of it drawn at random or written beside its modules. */
const python = ["env", `PYTHONPATH=${folder}/lib`, "PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1", "/usr/bin/python3"];

/** What main.py reads. */
const configuration = ({ protocols, ...options }: ServerOptions) => ({
  ...options,
  ports: Object.fromEntries(protocols.map(({ name, port }) => [name, port])),
  warmingPort: 10_000,
  warmingPath,
  importedPrefix,
  importedHeader,
  mediaTypes,
  otherType,
});

/**
 * QUIC and HTTP/3 in Python, beside Python's own TLS, which is OpenSSL's. Its congestion control is Reno with an exit from slow
 * start by RTT (HyStart), its initial window 10 datagrams of 1200 bytes; from the first RTT on it paces, in bursts of at most 16.
 * It asks no client for another key, so that of what Chromium offers it takes X25519.
 */
export const server: ServerSoftware = {
  title: "aioquic",
  header: "aioquic",
  protocols: ["h1", "h3"],
  keyExchanges: ["x25519"],
  cannotSayCaching: true,
  make: "servers/aioquic/install.sh",
  versionCommand: [...python, "-c", `print(open("${folder}/version").read())`],
  command(options) {
    const file = `${options.scratch}/aioquic.json`;
    writeFileSync(file, JSON.stringify(configuration(options)));
    return [...unprivileged("server"), "env", opensslDefaults(options), ...python, `${folder}/main.py`, file];
  },
};
