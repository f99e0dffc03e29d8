import { programsDirectory } from "../../hosts/control.ts";
import { unprivileged } from "../../hosts/rights.ts";
import { announcementHeader, announcementOf } from "../../schema/discovery.ts";
import type { KeyExchange } from "../../schema/tls.ts";
import {
  endingsByType,
  importedHeader,
  type ServerOptions,
  type ServerSoftware,
  writeConfiguration,
} from "../software.ts";
import { congestionIn } from "./congestion-log.ts";

/** The names of groups in GnuTLS's priority strings. GnuTLS in Debian 13 has no ML-KEM. */
const groups: Partial<Record<KeyExchange, string>> = { x25519: "X25519", secp256r1: "SECP256R1" };

/** Media types in the format of /etc/mime.types, each extension in lower and upper case, because gtlsserver distinguishes them. */
const types = [...endingsByType]
  .map(([type, endings]) => [type, ...endings.flatMap((ending) => [ending, ending.toUpperCase()])].join(" "))
  .join("\n");

/** The library that adds headers to responses (program/headers.c). */
const library = `${programsDirectory}/gtlsserver.so`;
const headersOf = ({ imported, protocols }: ServerOptions) =>
  [
    ...protocols.map(({ port }) => `${announcementHeader.toLowerCase()}: ${announcementOf(port)}`),
    ...(imported ? [`${importedHeader.name.toLowerCase()}: ${importedHeader.value}`] : []),
  ].join("\n");

/**
 * ngtcp2's example server, with GnuTLS. It honours RFC 9218's priorities, and paces. Its initial window is 10 packets. Its limits:
 * - it cannot use another initial window, compress, or send caching headers;
 * - it sends a file of unknown type as text/plain; if a path is a number, it sends this number of bytes instead of a file;
 * - it follows symbolic links out of the pages' folder.
 * Debian 12 has version 0.12, which lacks some of the options below.
 */
export const server: ServerSoftware = {
  title: "ngtcp2",
  header: "nghttp3/ngtcp2 server",
  protocols: ["h3"],
  builds: { command: ["gtlsserver", "--help"], protocols: { h3: "--pmtud-probes" } },
  make: "servers/gtlsserver/build.sh",
  endsAt: "SIGINT",
  versionCommand: ["env", `LD_PRELOAD=${library}`, "gtlsserver"],
  can: ["x25519", "secp256r1"],
  quicCongestion: { controls: ["cubic", "reno", "bbr"], usedIn: congestionIn },
  command(options) {
    const { root, certificate, key, tls, qlogs, quicCongestion = "cubic", protocols } = options;
    const mimeTypes = writeConfiguration(options, "mime.types", types);
    return [
      ...[...unprivileged("server"), "env", `LD_PRELOAD=${library}`, `ADDED_HEADERS=${headersOf(options)}`],
      // By default, the first packet number is random. It comes from the processor, so the virtual clock cannot repeat it.
      ...["gtlsserver", "--initial-pkt-num=0", "--no-quic-dump", "--no-http-dump", "--timeout=600s"],
      ...[
        `--htdocs=${root}`,
        `--mime-types-file=${mimeTypes}`,
        `--groups=-GROUP-ALL:+GROUP-${groups[tls.keyExchange]}`,
      ],
      ...[`--cc=${quicCongestion}`, ...(qlogs === undefined ? [] : [`--qlog-dir=${qlogs}`])],
      ...["0.0.0.0", String(protocols[0]!.port), key, certificate],
    ];
  },
};
