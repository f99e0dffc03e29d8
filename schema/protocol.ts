/** What loading a page and judging a load need to know about a protocol. */
import { z } from "zod";

/** An entry of servers/protocols.yml. Manifests that are older than HTTP/3 have neither scheme nor transport. */
export const protocolSchema = z.strictObject({
  /** The scheme of its URLs; https implies TLS. */
  scheme: z.enum(["http", "https"]).default("https"),
  /** The transport protocol. QUIC contains TLS, so its scheme is https. */
  transport: z.enum(["tcp", "quic"]).default("tcp"),
  port: z.int().min(1025).max(65535),
  /** ALPN identifier, as Chromium reports the protocol of a response. */
  alpn: z.string(),
  /** The most connections that a browser opens to one host. */
  connections: z.int().min(1),
});
export type Protocol = z.infer<typeof protocolSchema>;

/** Returns a host's origin for a protocol, e.g. "https://s1.lab:4432". */
export const origin = (host: string, { scheme, port }: Pick<Protocol, "scheme" | "port">): string =>
  `${scheme}://${host}:${port}`;

export const quicPorts = (protocols: Readonly<Record<string, Protocol>>): number[] =>
  Object.values(protocols).flatMap(({ transport, port }) => (transport === "quic" ? [port] : []));

/** Returns the hosts' addresses for QUIC, e.g. "s1.lab:4433". */
export const quicOrigins = (
  hosts: readonly { name: string }[],
  protocols: Readonly<Record<string, Protocol>>,
): string[] => quicPorts(protocols).flatMap((port) => hosts.map(({ name }) => `${name}:${port}`));
