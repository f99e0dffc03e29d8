import { programsDirectory } from "../../hosts/control.ts";
import { unprivileged } from "../../hosts/rights.ts";
import { copyEndings } from "../../schema/compression.ts";
import { startFile } from "../../sites/paths.ts";
import { windowsIn } from "../begun-connections.ts";
import { opensslDefaults } from "../openssl.ts";
import {
  importedHeader,
  mediaTypes,
  otherType,
  type ServerOptions,
  type ServerSoftware,
  warmingPathOf,
  writeConfiguration,
} from "../software.ts";

const folder = `${programsDirectory}/aioquic`;
/** The command for Debian's Python, without random hashes, and without writing compiled modules. */
const python = ["env", `PYTHONPATH=${folder}/lib`, "PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1", "/usr/bin/python3"];

/** The content of the file that main.py reads. */
const configuration = ({ protocols, ...options }: ServerOptions) => ({
  ...options,
  ports: Object.fromEntries(protocols.map(({ name, port }) => [name, port])),
  warmingPort: 10_000,
  warmingPath: warmingPathOf(options),
  startFile,
  importedHeader,
  mediaTypes,
  otherType,
  copyEnding: options.compression && copyEndings[options.compression],
});

/**
 * aioquic for QUIC and HTTP/3 in Python, and Python's TLS (OpenSSL) for HTTPS/1.1. aioquic's congestion control is Reno, which leaves slow
 * start when the RTT grows (HyStart). The initial window is 10 datagrams of 1200 bytes unless another window is set. After the first RTT
 * aioquic paces, in bursts of at most 16 datagrams. Responses take turns, unless the axis `priorities` makes the server honour the requests'
 * priorities. aioquic never sends a HelloRetryRequest, so it uses X25519, the only key share in Chromium's ClientHello that it supports.
 */
export const server: ServerSoftware = {
  title: "aioquic",
  header: "aioquic",
  protocols: ["h1", "h3"],
  can: ["quicWindow", "earlyData", "priorities", "containsLinks", "gzip", "br", "x25519"],
  quicWindowsIn: windowsIn,
  make: "servers/aioquic/install.sh",
  versionCommand: [...python, "-c", `print(open("${folder}/version").read())`],
  command(options) {
    const file = writeConfiguration(options, "aioquic.json", JSON.stringify(configuration(options)));
    return [...unprivileged("server"), "env", opensslDefaults(options), ...python, `${folder}/main.py`, file];
  },
};
