import { z } from "zod";
import { linkSchema } from "./link.ts";
import { protocolSchema } from "./protocol.ts";

/**
 * What the names in an experiment mean. A run's manifest holds those that it uses, so that its tables and its proof hold
 * when the lab's own files change later. Each by its name.
 */
export const registriesSchema = z.strictObject({
  links: z.record(z.string(), linkSchema),
  protocols: z.record(z.string(), protocolSchema),
  /** Requests and bytes of bodies in all, and of each object, by its path; null in version 2. The HTML's path follows from the condition. */
  pages: z.record(
    z.string(),
    z.strictObject({ requests: z.int(), bodyBytes: z.int(), objects: z.record(z.string(), z.int()).nullable() }),
  ),
  /** What each server calls itself in its responses' `server` header, and the protocols it speaks. */
  servers: z.record(z.string(), z.strictObject({ header: z.string(), protocols: z.array(z.string()) })),
  /** What each client calls itself in its requests' `user-agent` header, and the protocols it speaks. */
  clients: z.record(z.string(), z.strictObject({ userAgent: z.string(), protocols: z.array(z.string()) })),
  /** The web hosts, in the order in which pages use them. */
  hosts: z.array(z.strictObject({ service: z.string(), name: z.string(), address: z.string() })),
  /** The value of each axis that an experiment need not name: condition ids leave it out. */
  defaults: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Registries = z.infer<typeof registriesSchema>;
export type WebHost = Registries["hosts"][number];
