import { z } from "zod";
import { linkSchema } from "./link.ts";
import { protocolSchema } from "./protocol.ts";

/** Requests and bytes of bodies in all, and of each object, by its path; null in version 2. The HTML's path follows from the condition. */
const generatedPage = z.strictObject({
  requests: z.int(),
  bodyBytes: z.int(),
  objects: z.record(z.string(), z.int()).nullable(),
});

/** An answer that a load of an imported page must have. */
export const learntRequest = z.strictObject({
  host: z.string(),
  path: z.string(),
  /** 0 where the client does not show it. */
  status: z.int(),
  /** Of a file's body; 0 where the server answers in its own words, as with a 404. */
  bytes: z.int(),
  /** The client gave its body up. */
  failed: z.literal(true).optional(),
  /** The client had kept it, and asked nobody. */
  cached: z.literal(true).optional(),
  /** A load need not have it: a style sheet or a script asked for it, or the load event did not wait for it. */
  optional: z.literal(true).optional(),
});
export type LearntRequest = z.infer<typeof learntRequest>;

/** Its folder's hash, and what it asks for, by "2-h2-nginx-chromium" (axes/expected.ts): learnt from a load without loss, before any that counts. */
const importedPage = z.strictObject({ sha256: z.string(), learnt: z.record(z.string(), z.array(learntRequest)) });

/** How a client that is no browser asks a host: over how many connections at most, and whether it pipelines. */
const replays = z.strictObject({ connections: z.int().min(1), pipelines: z.boolean() });
export type Replays = z.infer<typeof replays>;

/**
 * What the names in an experiment mean. A run's manifest holds those that it uses, so that its tables and its proof hold
 * when the lab's own files change later. Each by its name.
 */
export const registriesSchema = z.strictObject({
  links: z.record(z.string(), linkSchema),
  protocols: z.record(z.string(), protocolSchema),
  pages: z.record(z.string(), z.union([generatedPage, importedPage])),
  /** What each server calls itself in its responses' `server` header, and the protocols it speaks. */
  servers: z.record(z.string(), z.strictObject({ header: z.string(), protocols: z.array(z.string()) })),
  /** What each client calls itself in its requests' `user-agent` header, the protocols it speaks, and what it does where it is no browser. */
  clients: z.record(
    z.string(),
    z.strictObject({
      userAgent: z.string(),
      /** What that header has not. */
      userAgentLacks: z.string().optional(),
      protocols: z.array(z.string()),
      replays: replays.optional(),
      /** Where it is a browser without DevTools: what drives it instead, which tells and can do less (clients/client.ts). */
      drivenBy: z.string().optional(),
    }),
  ),
  /** The web hosts, in the order in which pages use them. */
  hosts: z.array(z.strictObject({ service: z.string(), name: z.string(), address: z.string() })),
  /** The value of each axis that an experiment need not name: condition ids leave it out. */
  defaults: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Registries = z.infer<typeof registriesSchema>;
export type GeneratedPage = z.infer<typeof generatedPage>;
export type ImportedPage = z.infer<typeof importedPage>;
export const isImported = (page: GeneratedPage | ImportedPage): page is ImportedPage => "learnt" in page;
export type WebHost = Registries["hosts"][number];
