/** A protocol, as far as judging a load and asking for a page need to know it. */
import { z } from "zod";

/** What servers/protocols.yml says of one; manifests from before HTTP/3 say neither scheme nor transport. */
export const protocolSchema = z.strictObject({
  /** Of its URLs: with https there is TLS. */
  scheme: z.enum(["http", "https"]).default("https"),
  /** What carries it. QUIC has TLS within it, so its scheme is https. */
  transport: z.enum(["tcp", "quic"]).default("tcp"),
  port: z.int().min(1025).max(65535),
  /** ALPN identifier, as Chromium reports the protocol of a response. */
  alpn: z.string(),
  /** The most connections a browser uses to one host. */
  connections: z.int().min(1),
});
export type Protocol = z.infer<typeof protocolSchema>;

/** Where a host is asked over a protocol, e.g. "https://s1.lab:4432". */
export const origin = (host: string, { scheme, port }: Pick<Protocol, "scheme" | "port">): string =>
  `${scheme}://${host}:${port}`;

const overQuic = (protocols: Readonly<Record<string, Protocol>>) =>
  Object.values(protocols).filter(({ transport }) => transport === "quic");

export const quicPorts = (protocols: Readonly<Record<string, Protocol>>): number[] =>
  overQuic(protocols).map(({ port }) => port);

/** Where QUIC is spoken, as "s1.lab:4433". */
export const quicOrigins = (
  hosts: readonly { name: string }[],
  protocols: Readonly<Record<string, Protocol>>,
): string[] => quicPorts(protocols).flatMap((port) => hosts.map(({ name }) => `${name}:${port}`));
