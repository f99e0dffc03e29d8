import { programsDirectory } from "../../hosts/control.ts";
import { unprivileged } from "../../hosts/rights.ts";
import { copyEndings } from "../../schema/compression.ts";
import { startFile } from "../../sites/paths.ts";
import { controlsIn, windowsIn } from "../begun-connections.ts";
import {
  importedHeader,
  mediaTypes,
  otherType,
  type ServerOptions,
  type ServerSoftware,
  writeConfiguration,
} from "../software.ts";

const program = `${programsDirectory}/quinn`;

/** The content of the file that program/src/options.rs reads. */
const configuration = ({ root, imported, certificate, key, tls, protocols, compression, ...quic }: ServerOptions) => ({
  port: protocols[0]!.port,
  root,
  certificate,
  key,
  keyExchange: tls.keyExchange,
  congestion: quic.quicCongestion ?? "cubic",
  initialPackets: quic.quicWindow,
  mediaTypes,
  otherType,
  ...(imported && {
    imported: {
      startFile,
      header: importedHeader,
      ...(compression && { copies: { encoding: compression, ending: copyEndings[compression] } }),
    },
  }),
});

/**
 * The lab's own server in Rust (program/), with the crates quinn, h3, and rustls with ring. It has quinn's defaults, except that it accepts 250
 * requests at once, and that the initial window and congestion control can be set. quinn paces in bursts of at least 10 packets, and its CUBIC
 * has no HyStart. Responses take turns, because h3 does not support RFC 9218's priorities.
 */
export const server: ServerSoftware = {
  title: "quinn",
  header: "quinn",
  protocols: ["h3"],
  can: ["quicWindow", "containsLinks", "gzip", "br", "x25519", "secp256r1"],
  quicCongestion: { controls: ["cubic", "reno", "bbr"], usedIn: controlsIn },
  quicWindowsIn: windowsIn,
  make: "servers/quinn/build.sh",
  versionCommand: [program, "--version"],
  command(options) {
    const file = writeConfiguration(options, "quinn.json", JSON.stringify(configuration(options)));
    return [...unprivileged("server"), program, file];
  },
};
