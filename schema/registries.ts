import { z } from "zod";
import { browserWindow } from "./browser-window.ts";
import { encodingSchema } from "./compression.ts";
import { linkSchema } from "./link.ts";
import { nameSchema } from "./names.ts";
import { shownWindow } from "./picture.ts";
import { protocolSchema } from "./protocol.ts";
import { rateTraceSchema } from "./rate-trace.ts";

/** `objects`: path -> bytes of the body, without the HTML, whose path depends on the condition. */
const generatedPage = z.strictObject({
  requests: z.int(),
  bodyBytes: z.int(),
  objects: z.record(z.string(), z.int()),
});

/** A response that a load of an imported page must have. */
export const learntRequest = z.strictObject({
  host: z.string(),
  path: z.string(),
  /** 0 if the client does not report it. */
  status: z.int(),
  /** The bytes of the body if it is a file; 0 for a body that the server generates, as for a 404. */
  bytes: z.int(),
  /** The body's content coding; `bytes` then counts compressed bytes. Recorded pages may have codings that the lab does not use. Since 2026-11-23. */
  encoding: z.string().min(1).optional(),
  /** The client cancelled the request. */
  failed: z.literal(true).optional(),
  /** The client stopped reading the body, because it could not decode the image. How many bytes arrive is then random. Since 2026-11-26. */
  stopped: z.literal(true).optional(),
  cached: z.literal(true).optional(),
  /** A load may lack this response, because a style sheet or a script requested it, or because the load event did not wait for it. */
  optional: z.literal(true).optional(),
});
export type LearntRequest = z.infer<typeof learntRequest>;

/** `sha256`: the folder's hash. `learnt`: variant ("2-h2-nginx-chromium"; axes/expected.ts) -> responses of a lossless load before the run. */
const importedPage = z.strictObject({
  sha256: z.string(),
  learnt: z.record(z.string(), z.array(learntRequest)),
  /** What the browser's window shows, by variant; only in runs of `./lab advise`. Since 2026-11-29. */
  windows: z.record(z.string(), shownWindow).optional(),
  /** File -> milliseconds that the recorded server took to respond with this file. Since 2026-11-23. */
  serverTimes: z.record(z.string(), z.number()).optional(),
  /** Present if the page was recorded with its own host names (sites/recorded). Since 2026-11-28. */
  recorded: z
    .strictObject({
      /** The URL at which a load begins; the scheme is https if anything was recorded over TLS. */
      url: z.url({ protocol: /^https?$/ }),
      /** Other documents at which a load may begin, without the scheme: "www.example.com/start.3fa9c1d2". Since 2026-11-29. */
      documents: z.array(z.string()).optional(),
      /** The names of each recorded host. schema/host-rtts.ts says which of the lab's hosts serves it. */
      hosts: z.array(z.array(z.string()).min(1)).min(1),
      /** Each recorded host's RTT in milliseconds, null if unknown; absent if none is known. Since 2026-11-30. */
      rttsMs: z.array(z.number().min(0).max(60_000).nullable()).optional(),
      /** The browser's window, for recording and loading the page; absent if it is the lab's usual window. */
      window: browserWindow.optional(),
    })
    .refine(({ hosts, rttsMs = [] }) => rttsMs.length === 0 || rttsMs.length === hosts.length, {
      error: "rttsMs needs a number or null for each of the hosts",
      path: ["rttsMs"],
    })
    .optional(),
});

/** How a client without a browser sends requests to a host: the maximum number of connections, and whether it pipelines. */
const replays = z.strictObject({ connections: z.int().min(1), pipelines: z.boolean() });
export type Replays = z.infer<typeof replays>;

/** What the names in an experiment mean. A run's manifest contains the used entries, so the run can be judged after the lab's files have changed. */
export const registriesSchema = z.strictObject({
  links: z.record(z.string(), linkSchema),
  /** How the rates of links vary; absent if no rate varies. Since 2026-11-28. */
  traces: z.record(nameSchema, rateTraceSchema.omit({ name: true })).optional(),
  protocols: z.record(nameSchema, protocolSchema),
  pages: z.record(nameSchema, z.union([generatedPage, importedPage])),
  /** `header`: the `server` header of responses, without a version. */
  servers: z.record(
    nameSchema,
    z.strictObject({
      header: z.string(),
      protocols: z.array(z.string()),
      /** The content codings in which the server can send an imported page's texts. Since 2026-11-23. */
      encodings: z.array(encodingSchema).optional(),
      /** The server's initial window over QUIC can be set; "logged" (since 2026-11-28) if the log has each connection's window. Since 2026-11-27. */
      quicWindow: z.union([z.literal(true), z.literal("logged")]).optional(),
      /** The congestion controls that can be configured for the server over QUIC. Since 2026-11-28. */
      quicCongestion: z.array(z.string()).optional(),
      /** Set if the server serves recorded pages and no other pages. Since 2026-11-28. */
      replays: z.literal(true).optional(),
    }),
  ),
  /** `userAgent`: a part of the client's `user-agent` header. */
  clients: z.record(
    nameSchema,
    z.strictObject({
      userAgent: z.string(),
      /** A text that this client's header does not contain, but another client's similar header does. */
      userAgentLacks: z.string().optional(),
      protocols: z.array(z.string()),
      replays: replays.optional(),
      /** For a browser without DevTools: the protocol that drives it instead, which reports less (clients/client.ts). */
      drivenBy: z.string().optional(),
    }),
  ),
  /** The web hosts, in the order in which pages use them. */
  hosts: z.array(z.strictObject({ service: z.string(), name: z.string(), address: z.string() })),
  /** Axis -> its default value, which condition ids leave out. */
  defaults: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Registries = z.infer<typeof registriesSchema>;
export type GeneratedPage = z.infer<typeof generatedPage>;
export type ImportedPage = z.infer<typeof importedPage>;
export const isImported = (page: GeneratedPage | ImportedPage): page is ImportedPage => "learnt" in page;
export type WebHost = Registries["hosts"][number];

/** For names that were checked before. @throws Error that names the missing entry; only a defect of the lab can cause this */
export function entryOf<Entry>(entries: Readonly<Record<string, Entry>>, kind: string, name: string): Entry {
  const entry = entries[name];
  if (entry === undefined) throw new Error(`the registry of ${kind} has no "${name}"`);
  return entry;
}
