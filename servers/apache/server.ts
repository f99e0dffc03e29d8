import { neverRoot } from "../../hosts/rights.ts";
import { caching, documentEnding } from "../../schema/caching.ts";
import { copyEndings, type Encoding, isCompressible } from "../../schema/compression.ts";
import { keyExchangeNames, keyExchanges } from "../../schema/tls.ts";
import { startFile } from "../../sites/paths.ts";
import {
  endingsByType,
  importedHeader,
  mediaTypes,
  type ServerOptions,
  type ServerSoftware,
  writeConfiguration,
} from "../software.ts";

const modules = ["mpm_event", "authz_core", "headers", "mime", "rewrite", "socache_shmcb", "ssl", "http2"];
const spoken: Record<string, string> = { h1: "http/1.1", h2: "h2" };

const keeping = `
Header set ${caching.header} "${caching.other}"
<FilesMatch "\\${documentEnding}(${Object.values(copyEndings).join("|")})?$">
  Header set ${caching.header} "${caching.document}"
</FilesMatch>`;

/** A compressed copy gets the media type of the original file. By default, mod_mime would use the type for the copy's own extension. */
function copies(encoding: Encoding): string {
  const rule = (pattern: string, file: string, type: string) => `
RewriteCond %{HTTP:Accept-Encoding} \\b${encoding}\\b
RewriteCond %{DOCUMENT_ROOT}${file}${copyEndings[encoding]} -f
RewriteRule ${pattern} %{DOCUMENT_ROOT}${file}${copyEndings[encoding]} [T=${type},E=copy:${encoding},L]`;
  const texts = [...endingsByType].filter(([type]) => isCompressible(type));
  return `
${texts.map(([type, endings]) => rule(`(?i)^/.*\\.(${endings.join("|")})$`, "$0", type)).join("")}
${rule("/$", `%{REQUEST_URI}${startFile}`, mediaTypes.html!)}
Header set Content-Encoding %{copy}e env=copy`;
}

const forImported = (compression: ServerOptions["compression"]) => `
RewriteEngine on
${compression ? copies(compression) : ""}
RewriteRule /$ %{DOCUMENT_ROOT}%{REQUEST_URI}${startFile} [L]`;

/** The event MPM of Debian's Apache, without a log of requests, and with keep-alive for longer than any load. */
const configuration = ({ root, imported, certificate, key, scratch, tls, protocols, ...asked }: ServerOptions) => `
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join("\n")}
ServerName lab
ServerTokens Prod
DefaultRuntimeDir ${scratch}
PidFile ${scratch}/apache.pid
Mutex file:${scratch} default
ErrorLog ${scratch}/error.log
TypesConfig /dev/null
${Object.entries(mediaTypes)
  .map(([extension, type]) => `AddType ${type} .${extension}`)
  .join("\n")}
${imported ? `Header always set ${importedHeader.name} "${importedHeader.value}"` : ""}
${asked.caching ? keeping : ""}
KeepAlive ${asked.keepAlive === false ? "Off" : "On"}
KeepAliveTimeout 600
Timeout 600
MaxKeepAliveRequests 0
DocumentRoot ${root}
<Directory />
  Options None
  AllowOverride None
</Directory>
SSLProtocol -all +TLSv${tls.version}
SSLOpenSSLConfCmd Groups ${keyExchanges[tls.keyExchange].openssl}
SSLSessionCache none
SSLSessionTickets ${tls.resumption ? "on" : "off"}
${protocols
  .map(
    ({ name, port }) => `
Listen ${port}
<VirtualHost *:${port}>
  Protocols ${spoken[name]}
  ${imported ? forImported(asked.compression) : ""}
  SSLEngine on
  SSLCertificateFile ${certificate}
  SSLCertificateKeyFile ${key}
</VirtualHost>`,
  )
  .join("\n")}
`;

export const server: ServerSoftware = {
  title: "Apache httpd",
  header: "Apache",
  protocols: Object.keys(spoken),
  versionCommand: ["apache2", "-v"],
  opensslCommand: ["openssl", "version"],
  can: ["caching", "closes", "containsLinks", "gzip", "br", ...keyExchangeNames],
  command(options) {
    const file = writeConfiguration(options, "apache.conf", configuration(options));
    return [...neverRoot("server"), "apache2", "-D", "FOREGROUND", "-f", file];
  },
};
