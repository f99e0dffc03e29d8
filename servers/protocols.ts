import { z } from "zod";
import { protocolSchema, type Protocol as SpokenProtocol } from "../schema/protocol.ts";
import { readYamlFile } from "../schema/yaml-file.ts";

export const protocolsFile = "servers/protocols.yml";

const schema = z.record(z.string().regex(/^[\w.]+$/), protocolSchema.extend({ title: z.string() }));

export interface Protocol extends SpokenProtocol {
  name: string;
  title: string;
}

export function readProtocols(): Record<string, Protocol> {
  const entries = Object.entries(readYamlFile(protocolsFile, schema));
  return Object.fromEntries(entries.map(([name, protocol]) => [name, { name, ...protocol }]));
}
