import { neverRoot } from "../../hosts/rights.ts";
import { caching, documentEnding } from "../../schema/caching.ts";
import { copyEndings, type Encoding } from "../../schema/compression.ts";
import { keyExchangeNames, keyExchanges } from "../../schema/tls.ts";
import { startFile } from "../../sites/paths.ts";
import type { Protocol } from "../protocols.ts";
import {
  importedHeader,
  mediaTypes,
  otherType,
  type ServerOptions,
  type ServerSoftware,
  writeConfiguration,
} from "../software.ts";

/** Protocol -> whether its process offers HTTP/2. Each protocol has a process, because HTTP/2 can be enabled only for a whole process. */
const offersHttp2: Record<string, string> = { h1: "disable", h2: "enable" };

const adding = (value: string) => `{ setenv.add-response-header = ("${caching.header}" => "${value}") }`;
/** Adds the caching header to the headers that `forImported` sets. */
const keeping = `$HTTP["url"] =~ "(\\${documentEnding}|/)$" ${adding(caching.document)} else ${adding(caching.other)}`;

/** The script that chooses compressed copies. It runs for each request of an imported page, before a folder's index file is looked up. */
const copiesScript = (encoding: Encoding) => `
local r = lighty.r
local path = string.gsub(r.req_attr["physical.path"], "/$", "/${startFile}")
local file = lighty.c.stat(path)
local copy = path .. "${copyEndings[encoding]}"
if file and lighty.c.stat(copy) and string.find(r.req_header["Accept-Encoding"] or "", "${encoding}", 1, true) then
  r.resp_header["Content-Type"] = file["content-type"]
  r.resp_header["Content-Encoding"] = "${encoding}"
  r.resp_header["Vary"] = "Accept-Encoding"
  r.req_attr["physical.path"] = copy
end
`;

const forImported = `index-file.names = ("${startFile}")
setenv.set-response-header = ("${importedHeader.name}" => "${importedHeader.value}")`;

/** The configuration of one protocol's process, without a log of requests, and with keep-alive for longer than any load. */
const configuration = (
  { root, imported, certificate, key, scratch, tls, caching: says, compression }: ServerOptions,
  { name, port }: Protocol,
) => `
server.modules = ("mod_openssl", "mod_setenv"${compression ? ', "mod_magnet"' : ""})
server.port = ${port}
server.document-root = "${root}"
server.errorlog = "${scratch}/${name}.log"
server.follow-symlink = "disable"
server.max-keep-alive-idle = 600
server.max-write-idle = 600
server.max-keep-alive-requests = 65535
server.feature-flags = ("server.h2proto" => "${offersHttp2[name]}", "server.h2c" => "disable")
mimetype.assign = (${Object.entries(mediaTypes)
  .map(([extension, type]) => `".${extension}" => "${type}"`)
  .join(", ")}, "" => "${otherType}")
${imported ? forImported : ""}
${says ? keeping : ""}
${imported && compression ? `magnet.attract-physical-path-to = ("${scratch}/${scriptName}")` : ""}
ssl.engine = "enable"
ssl.pemfile = "${certificate}"
ssl.privkey = "${key}"
ssl.openssl.ssl-conf-cmd = (
  "MinProtocol" => "TLSv${tls.version}",
  "MaxProtocol" => "TLSv${tls.version}",
  "Groups" => "${keyExchanges[tls.keyExchange].openssl}",
  "Options" => "${tls.resumption ? "" : "-"}SessionTicket"
)
`;

const scriptName = "copies.lua";

/** A script that runs a process for each configuration file, and ends all processes on SIGTERM. */
const together = `trap 'kill $(jobs -p); wait; exit' TERM; for file; do lighttpd -D -f "$file" & done; wait`;

export const server: ServerSoftware = {
  title: "lighttpd",
  header: "lighttpd",
  protocols: Object.keys(offersHttp2),
  versionCommand: ["lighttpd", "-v"],
  opensslCommand: ["openssl", "version"],
  can: ["caching", "containsLinks", "gzip", "br", ...keyExchangeNames],
  command(options) {
    if (options.compression) writeConfiguration(options, scriptName, copiesScript(options.compression));
    const files = options.protocols.map((protocol) =>
      writeConfiguration(options, `${protocol.name}.conf`, configuration(options, protocol)),
    );
    return [...neverRoot("server"), "bash", "-c", together, "lighttpd", ...files];
  },
};
