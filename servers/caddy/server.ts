import { writeFileSync } from "node:fs";
import { programsDirectory } from "../../hosts/control.ts";
import { unprivileged } from "../../hosts/rights.ts";
import { broughtHeader, broughtPrefix, type ServerOptions, type ServerSoftware } from "../software.ts";

const program = `${programsDirectory}/caddy`;
/** Caddy's names of what it speaks on a port of ours. */
const spoken: Record<string, "h1" | "h2" | "h3"> = { h1: "h1", h1c: "h1", h2: "h2", h3: "h3" };

/**
 * One server a protocol; no session resumption, no certificates of its own. A browser that is made to use QUIC asks for six
 * objects at a time, as over HTTP/1.1, until a response has said that the port speaks HTTP/3 (Alt-Svc, RFC 7838).
 */
const configuration = ({ root, certificate, key, tls, protocols }: ServerOptions) => ({
  admin: { disabled: true, config: { persist: false } },
  logging: { logs: { default: { level: "ERROR" } } },
  apps: {
    "caddy.filesystems": { filesystems: [{ name: "pages", file_system: { backend: "below", folder: root } }] },
    tls: {
      certificates: { load_files: [{ certificate, key }] },
      session_tickets: { disabled: true },
    },
    http: {
      servers: Object.fromEntries(
        protocols.map(({ name, port, scheme, transport, alpn }) => [
          name,
          {
            listen: [`:${port}`],
            protocols: [spoken[name]],
            automatic_https: { disable: true },
            idle_timeout: "10m",
            ...(scheme === "https" && {
              tls_connection_policies: [
                {
                  alpn: [alpn],
                  curves: [tls.keyExchange],
                  protocol_min: `tls${tls.version}`,
                  protocol_max: `tls${tls.version}`,
                },
              ],
            }),
            routes: [
              {
                match: [{ path: [`${broughtPrefix}*`] }],
                handle: [{ handler: "headers", response: { set: { [broughtHeader.name]: [broughtHeader.value] } } }],
              },
              {
                handle: [
                  ...(transport === "quic"
                    ? [{ handler: "headers", response: { set: { "Alt-Svc": [`h3=":${port}"`] } } }]
                    : []),
                  { handler: "file_server", fs: "pages", root: "." },
                ],
              },
            ],
          },
        ]),
      ),
    },
  },
});

export const server: ServerSoftware = {
  title: "Caddy",
  header: "Caddy",
  protocols: Object.keys(spoken),
  make: "servers/caddy/build.sh",
  versionCommand: [program, "version"],
  command(options) {
    const file = `${options.scratch}/caddy.json`;
    writeFileSync(file, JSON.stringify(configuration(options)));
    const home = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].map((name) => `${name}=${options.scratch}`);
    return [...unprivileged("server"), "env", ...home, program, "run", "--config", file];
  },
};
