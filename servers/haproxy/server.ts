import { unprivileged } from "../../hosts/rights.ts";
import { announcementHeader, announcementOf } from "../../schema/discovery.ts";
import { keyExchangeNames } from "../../schema/tls.ts";
import { server as nginx } from "../nginx/server.ts";
import type { Protocol } from "../protocols.ts";
import { type ServerSoftware, writeConfiguration } from "../software.ts";
import { certificateFile, configuration } from "./configuration.ts";

const spoken = ["h1", "h1c", "h2", "h3"];

/** nginx's port on the same host. */
const behind: Protocol = {
  name: "h1c",
  title: "HTTP/1.1 between HAProxy and nginx",
  port: 10_000,
  alpn: "http/1.1",
  connections: 6,
  scheme: "http",
  transport: "tcp",
};

/** Alt-Svc (RFC 7838): a browser that is forced to use QUIC requests only six objects at a time until a response has announced HTTP/3. */
const announcing = (port: number) => `http-after-response set-header ${announcementHeader} '${announcementOf(port)}'`;
const rulesOf = ({ transport, port }: Protocol) => [
  "http-after-response set-header Server haproxy",
  ...(transport === "quic" ? [announcing(port)] : []),
];

/** Runs nginx and HAProxy with these configuration files. If one ends, or on SIGTERM, it ends both. */
const together = `trap 'kill $(jobs -p); wait; exit' TERM; nginx -e stderr -c "$1" & haproxy -f "$2" & wait -n; kill $(jobs -p); exit 1`;

/**
 * A proxy, as content delivery networks put in front of servers. It serves no files of its own: its `http-request return file` sends only
 * files that fit into one buffer (16 KB). So nginx serves them over unencrypted HTTP/1.1 on the same host, with the same configuration as the
 * lab's server nginx: its media types, compressed copies and caching headers. HAProxy adds Alt-Svc and its name.
 *
 * Its QUIC is version 3.0's, which does not pace and knows no priorities (RFC 9218). It drops what a client sends from another port, to which
 * Chromium changes after losses: responses on that connection then wait until Chromium opens another. Debian 12's build has no QUIC.
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
    const certificates = certificateFile(options, `${options.scratch}/haproxy.pem`);
    const front = { ...options, certificates, rulesOf, behindPort: behind.port };
    const file = writeConfiguration(options, "haproxy.cfg", configuration(front));
    return [...unprivileged("server"), "bash", "-c", together, "haproxy", ofNginx, file];
  },
};
