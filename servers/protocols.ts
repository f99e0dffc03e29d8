import { z } from "zod";
import { readYamlFile } from "../schema/yaml-file.ts";

export const protocolsFile = "servers/protocols.yml";

const schema = z.record(
  z.string().regex(/^\w+$/),
  z.strictObject({
    title: z.string(),
    port: z.int().min(1025).max(65535),
    alpn: z.string(),
    connections: z.int().min(1),
  }),
);

export interface Protocol {
  name: string;
  title: string;
  /** The port every server speaks it on. */
  port: number;
  /** ALPN identifier, as Chromium reports the protocol of a response. */
  alpn: string;
  /** The most connections a browser uses to one host. */
  connections: number;
}

/** The registry of protocols, by name. */
export function readProtocols(): Record<string, Protocol> {
  const entries = Object.entries(readYamlFile(protocolsFile, schema));
  return Object.fromEntries(entries.map(([name, protocol]) => [name, { name, ...protocol }]));
}
