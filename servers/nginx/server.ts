import { unprivileged } from "../../hosts/rights.ts";
import { caching, documentEnding } from "../../schema/caching.ts";
import { announcementHeader, announcementOf } from "../../schema/discovery.ts";
import { keyExchangeNames, keyExchanges } from "../../schema/tls.ts";
import type { Protocol } from "../protocols.ts";
import {
  importedHeader,
  mediaTypes,
  otherType,
  type ServerOptions,
  type ServerSoftware,
  writeConfiguration,
} from "../software.ts";
import { mainBlock, temporaryPaths } from "./main-block.ts";

const listenOptions: Record<string, string> = { h1: " ssl", h1c: "", h2: " ssl http2", h3: " quic" };
const announcing = (port: number) => `add_header ${announcementHeader} '${announcementOf(port)}' always;`;

const types = Object.entries(mediaTypes).map(([extension, type]) => `${type} ${extension};`);
/** Adds the caching header, unless `$caching` is empty: nginx sends no header for an empty value. */
const keeping = `add_header ${caching.header} $caching;`;
const sending = { gzip: "gzip_static on;", br: "brotli_static on;" } as const;
const allowing = `add_header ${importedHeader.name} ${importedHeader.value} always;`;
const forImported = (compression: ServerOptions["compression"]) => `
  types { ${types.join(" ")} }
  default_type ${otherType};
  ${allowing}
  ${compression ? `gzip_vary on; ${sending[compression]}` : ""}
`;
/** If a `server` block adds headers, nginx ignores the headers of the `http` block. */
const serverOf = (
  { name, port, transport }: Protocol,
  { imported, announces }: Pick<ServerOptions, "imported" | "announces">,
) => {
  const overTcp = announces ? [`listen ${port}${listenOptions.h2};`] : [];
  const ofQuic = [...overTcp, "ssl_protocols TLSv1.3;", announcing(port), keeping, ...(imported ? [allowing] : [])];
  return `server { listen ${port}${listenOptions[name]}; ${transport === "quic" ? ofQuic.join(" ") : ""} }`;
};
/**
 * gzip_static is built into Debian's nginx. Brotli's module sets too large a length for a compressed file's name. Only disable_symlinks uses
 * this length: nginx then sometimes sends the uncompressed file. So disable_symlinks is off with Brotli; pages have no symbolic links.
 */
const brotliModule = "load_module /usr/lib/nginx/modules/ngx_http_brotli_static_module.so;";

/** One worker, no log, no cache, and time-outs longer than any load, because TCP's timers may grow to minutes. */
const configuration = ({ root, imported, certificate, key, scratch, tls, protocols, ...asked }: ServerOptions) => `
${asked.compression === "br" ? brotliModule : ""}
${mainBlock(scratch)}
http {
  ${imported ? forImported(asked.compression) : "include /etc/nginx/mime.types;"}
  access_log off;
  sendfile on;
  tcp_nodelay on;
  keepalive_timeout ${asked.keepAlive === false ? "0" : "600s"};
  client_header_timeout 600s;
  send_timeout 600s;
  keepalive_requests 100000;
  server_tokens off;
  disable_symlinks ${asked.compression === "br" ? "off" : "on"};
  ssl_certificate ${certificate};
  ssl_certificate_key ${key};
  ssl_protocols TLSv${tls.version};
  ssl_ecdh_curve ${keyExchanges[tls.keyExchange].openssl};
  ssl_session_cache off;
  ssl_session_tickets ${tls.resumption ? "on" : "off"};
  ${temporaryPaths(scratch)}
  map $uri $caching { ${asked.caching ? `~\\${documentEnding}$ "${caching.document}"; default "${caching.other}"` : 'default ""'}; }
  ${keeping}
  root ${root};
  ${protocols.map((protocol) => serverOf(protocol, { ...asked, imported })).join("\n  ")}
}
`;

/** Over QUIC, nginx 1.26's initial window is always 131,054 bytes: twice its limit for datagrams, 65,527 bytes (NGX_QUIC_MAX_UDP_PAYLOAD_SIZE). */
export const server: ServerSoftware = {
  title: "nginx",
  header: "nginx",
  protocols: Object.keys(listenOptions),
  builds: { command: ["nginx", "-V"], protocols: { h3: "--with-http_v3_module" } },
  versionCommand: ["nginx", "-v"],
  opensslCommand: ["openssl", "version"],
  can: ["caching", "announces", "closes", "containsLinks", "gzip", "br", ...keyExchangeNames],
  command(options) {
    const file = writeConfiguration(options, "nginx.conf", configuration(options));
    return [...unprivileged("server"), "nginx", "-e", "stderr", "-c", file];
  },
};
