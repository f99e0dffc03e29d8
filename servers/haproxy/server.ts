import { readFileSync, writeFileSync } from "node:fs";
import { makeOwner, unprivileged } from "../../hosts/rights.ts";
import { announcementHeader, announcementOf } from "../../schema/discovery.ts";
import { keyExchangeNames, keyExchanges } from "../../schema/tls.ts";
import { server as nginx } from "../nginx/server.ts";
import { opensslDefaults } from "../openssl.ts";
import type { Protocol } from "../protocols.ts";
import { type ServerOptions, type ServerSoftware, writeConfiguration } from "../software.ts";

const spoken = ["h1", "h1c", "h2", "h3"];

/** The protocol between HAProxy and nginx, and nginx's port on the same host. */
const behind: Protocol = {
  name: "h1c",
  title: "HTTP/1.1 between HAProxy and nginx",
  port: 10_000,
  alpn: "http/1.1",
  connections: 6,
  scheme: "http",
  transport: "tcp",
};

/** Writes a certificate and its key into one file, as HAProxy requires. */
function certificateFile({ certificate, key, scratch }: ServerOptions): string {
  const file = `${scratch}/haproxy.pem`;
  writeFileSync(file, readFileSync(certificate, "utf8") + readFileSync(key, "utf8"), { mode: 0o600 });
  makeOwner(file, "server");
  return file;
}

const announcing = (port: number) => `http-after-response set-header ${announcementHeader} '${announcementOf(port)}'`;

function frontend({ name, port, alpn, scheme, transport }: Protocol, tls: ServerOptions["tls"], file: string): string {
  const version = transport === "quic" ? "1.3" : tls.version;
  const secure = [
    ...["ssl", "crt", file, "alpn", alpn, "ssl-min-ver", `TLSv${version}`, "ssl-max-ver", `TLSv${version}`],
    ...["curves", keyExchanges[tls.keyExchange].openssl, ...(tls.resumption ? [] : ["no-tls-tickets"])],
  ];
  return `
frontend ${name}
  bind ${transport === "quic" ? "quic4@" : ""}:${port} ${scheme === "https" ? secure.join(" ") : ""}
  http-after-response set-header Server haproxy
  ${transport === "quic" ? announcing(port) : ""}`;
}

/** `limited-quic` is needed, because OpenSSL lacks the interface for HAProxy's complete QUIC. With `limited-quic` there is no early data. */
const forQuic = `limited-quic
  tune.quic.frontend.max-idle-timeout 600s`;

/** One thread, no log, and time-outs longer than any load. A build without QUIC rejects QUIC's keywords, so they appear only with HTTP/3. */
const configuration = (options: ServerOptions, file: string) => `
global
  nbthread 1
  maxconn 1000
  tune.ssl.cachesize 0
  ${options.protocols.some(({ transport }) => transport === "quic") ? forQuic : ""}
defaults
  mode http
  timeout connect 10s
  timeout client 600s
  timeout server 600s
  default_backend files
backend files
  server nginx 127.0.0.1:${behind.port}
${options.protocols.map((protocol) => frontend(protocol, options.tls, file)).join("\n")}
`;

/** A script that runs nginx and HAProxy. The script ends both on SIGTERM, or if one of them ends. */
const together = `trap 'kill $(jobs -p); wait; exit' TERM; nginx -e stderr -c "$1" & env "$2" haproxy -f "$3" & wait -n; kill $(jobs -p); exit 1`;

/**
 * HAProxy in front of nginx on the same host, as content delivery networks have proxies in front of servers. HAProxy cannot serve the files
 * itself: `http-request return file` sends only files that fit into one buffer (16 KB). So nginx serves them, configured as the server nginx.
 *
 * QUIC in HAProxy 3.0 neither paces nor supports priorities (RFC 9218). It drops packets of a client that has changed its port. Chromium
 * changes its port after losses, and then waits for responses until it opens another connection. Debian 12's build has no QUIC.
 */
export const server: ServerSoftware = {
  title: "HAProxy",
  header: "haproxy",
  protocols: spoken,
  builds: { command: ["haproxy", "-vv"], protocols: { h3: "+QUIC" } },
  versionCommand: ["haproxy", "-v"],
  opensslCommand: ["openssl", "version"],
  can: ["caching", "containsLinks", "gzip", "br", ...keyExchangeNames],
  command(options) {
    const [ofNginx = ""] = nginx.command({ ...options, protocols: [behind] }).slice(-1);
    const file = writeConfiguration(options, "haproxy.cfg", configuration(options, certificateFile(options)));
    // OpenSSL's defaults turn tickets off, because HAProxy sends them over QUIC despite `no-tls-tickets`.
    return [...unprivileged("server"), "bash", "-c", together, "haproxy", ofNginx, opensslDefaults(options), file];
  },
};
