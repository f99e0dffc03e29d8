import { programsDirectory } from "../../hosts/control.ts";
import { unprivileged } from "../../hosts/rights.ts";
import { caching, documentEnding } from "../../schema/caching.ts";
import { announcementHeader, announcementOf, announcingAlpn } from "../../schema/discovery.ts";
import { keyExchangeNames } from "../../schema/tls.ts";
import {
  endingsByType,
  importedHeader,
  mediaTypes,
  otherType,
  type ServerOptions,
  type ServerSoftware,
  writeConfiguration,
} from "../software.ts";

const program = `${programsDirectory}/caddy`;
/** The lab's protocols, and Caddy's names for them. */
const spoken: Record<string, "h1" | "h2" | "h3"> = { h1: "h1", h1c: "h1", h2: "h2", h3: "h3" };

const setHeader = (name: string, value: string) => ({ handler: "headers", response: { set: { [name]: [value] } } });
/** The paths of folders' start files (sites/paths.ts). */
const folders = "*/";
const byEnding = [...endingsByType].map(([type, endings]) => [type, endings.map((ending) => `*.${ending}`)] as const);
/** Routes that set media types. Without them, Caddy would use the media types of Go and of the machine. */
const typeRoutes = [[mediaTypes.html!, [folders]] as const, ...byEnding].map(([type, path]) => ({
  match: [{ path }],
  handle: [setHeader("Content-Type", type)],
}));

/** The second route overrides the header that the first route sets. */
const keepingRoutes = [
  { handle: [setHeader(caching.header, caching.other)] },
  { match: [{ path: [`*${documentEnding}`, folders] }], handle: [setHeader(caching.header, caching.document)] },
];

const forImported = [
  setHeader(importedHeader.name, importedHeader.value),
  setHeader("Content-Type", otherType),
  { handler: "subroute", routes: typeRoutes },
];

const files = { handler: "file_server", fs: "pages", root: "." };
const announcing = (transport: string, port: number) =>
  transport === "quic" ? [setHeader(announcementHeader, announcementOf(port))] : [];

export const configuration = ({
  root,
  imported,
  certificate,
  key,
  tls,
  caching: says,
  compression,
  announces,
  protocols,
}: ServerOptions) => ({
  admin: { disabled: true, config: { persist: false } },
  logging: { logs: { default: { level: "ERROR" } } },
  apps: {
    "caddy.filesystems": { filesystems: [{ name: "pages", file_system: { backend: "below", folder: root } }] },
    tls: {
      certificates: { load_files: [{ certificate, key }] },
      session_tickets: { disabled: !tls.resumption },
    },
    http: {
      servers: Object.fromEntries(
        protocols.map(({ name, port, scheme, transport, alpn }) => [
          name,
          {
            listen: [`:${port}`],
            protocols: transport === "quic" && announces ? ["h2", spoken[name]] : [spoken[name]],
            automatic_https: { disable: true },
            ...(tls.resumption && { allow_0rtt: tls.earlyData === true }),
            // Long time-outs, because on a slow link a response may wait for minutes behind other responses.
            ...{ idle_timeout: "10m", write_idle_timeout: "10m" },
            ...(scheme === "https" && {
              tls_connection_policies: [
                {
                  alpn: transport === "quic" && announces ? [announcingAlpn, alpn] : [alpn],
                  curves: [tls.keyExchange],
                  protocol_min: `tls${tls.version}`,
                  protocol_max: `tls${tls.version}`,
                },
              ],
            }),
            routes: [
              ...(says ? keepingRoutes : []),
              {
                handle: [
                  ...(imported ? forImported : []),
                  ...announcing(transport, port),
                  { ...files, ...(imported && compression && { precompressed: { [compression]: {} } }) },
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
  can: ["caching", "announces", "earlyData", "containsLinks", "gzip", "br", ...keyExchangeNames],
  make: "servers/caddy/build.sh",
  versionCommand: [program, "version"],
  command(options) {
    const file = writeConfiguration(options, "caddy.json", JSON.stringify(configuration(options)));
    const home = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].map((name) => `${name}=${options.scratch}`);
    const logging = options.qlogs === undefined ? [] : [`QLOGDIR=${options.qlogs}`]; // read by quic-go
    return [...unprivileged("server"), "env", ...home, ...logging, program, "run", "--config", file];
  },
};
