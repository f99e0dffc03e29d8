/** What the lab configures for a condition. Lanes and agents receive only these settings, no axes and no experiments. */
import { z } from "zod";
import { backgroundSchema } from "./background.ts";
import { encodingSchema } from "./compression.ts";
import { discoveries } from "./discovery.ts";
import { linkSchema } from "./link.ts";
import { nameSchema, pathInsideSchema } from "./names.ts";
import { tlsSchema } from "./tls.ts";

/** TCP parameters on a host's route to the other network, which override the host's defaults. ip-route(8) */
export const routeSchema = z.strictObject({
  congestion: z.string(),
  /** Whether CUBIC may leave slow start before a loss (HyStart). This kernel parameter applies to all hosts. On if absent. */
  hystart: z.literal(false).optional(),
  /** Whether the congestion window of an idle connection falls back to the initial one (RFC 5681, section 4.1). On if absent. */
  slowStartAfterIdle: z.literal(false).optional(),
  /** The initial congestion window and initial receive window, in segments. If a field is absent, the kernel's default applies. */
  initcwnd: z.int().optional(),
  initrwnd: z.int().optional(),
});
export type RouteTcp = z.infer<typeof routeSchema>;

/** A value of initcwnd: each server chooses the window by what it recorded about the client in an earlier visit (models/adaptive-window.ts). */
export const adaptive = "adaptive";
const serverRouteSchema = routeSchema.extend({ initcwnd: z.union([z.int(), z.literal(adaptive)]).optional() });

/** Bytes of a response that a server sends before its back end has generated the rest: 3 segments (Dukkipati et al., CCR 2010, 4.1: 3 to 4). */
export const firstBurstBytes = 4000;

export const settingsSchema = z.strictObject({
  link: linkSchema,
  route: z.strictObject({ client: routeSchema, server: serverRouteSchema }),
  server: z.strictObject({
    software: nameSchema,
    tls: tlsSchema,
    /** Responses tell clients what they may cache (schema/caching.ts). */
    caching: z.literal(true).optional(),
    /** A server that can log its connections logs them. Only captures use this, and captures are not samples. */
    logs: z.literal(true).optional(),
    /** How long the server waits before it responds to a request; no wait if absent. */
    thinkTimeMs: z.number().optional(),
    /** How long the server waits between the first `firstBurstBytes` of a response and the rest; no wait if absent. */
    backEndTimeMs: z.number().optional(),
    /** The server waits before each file of an imported page as long as the recorded server took to respond. */
    recordedTimes: z.literal(true).optional(),
    /** The hosts of a recorded page differ in RTT as they did when the page was recorded (schema/host-rtts.ts). */
    recordedRtts: z.literal(true).optional(),
    /** false if the server closes a connection after each response over HTTP/1.1. */
    keepAlive: z.literal(false).optional(),
    /** Kernel parameters of the servers' hosts, sysctl(8); on the virtual clock also kernel modules' parameters: "module.tcp_cubic.beta". */
    sysctls: z.record(z.string(), z.string()).optional(),
    /** The queueing discipline for packets that the server's TCP has sent, in tc(8)'s notation, such as "fq flow_limit 50"; none if absent. */
    qdisc: z.string().optional(),
    /** Clients that accept this content coding get compressed copies of imported pages' texts. */
    compression: encodingSchema.optional(),
    /** The port of HTTP/3 also accepts HTTP/2 over TCP, and the responses over HTTP/2 announce HTTP/3 (schema/discovery.ts). */
    announces: z.literal(true).optional(),
    /** Whether the server sends responses in the order of their requests' urgency (RFC 9218); the software decides if absent. */
    priorities: z.enum(["honoured", "ignored"]).optional(),
  }),
  client: z.strictObject({
    software: nameSchema,
    /** Kernel parameters of the client's host. sysctl(8) */
    sysctls: z.record(z.string(), z.string()),
    /** How many times slower the page computes; unthrottled if absent. */
    cpuSlowdown: z.number().optional(),
    /**
     * How many connections the client opens to a host over HTTP/1.1; its usual number if absent. "each": one for each request, and all requests
     * begin at once. "in-turn": one for each request, and a request begins after the previous response.
     */
    connections: z.union([z.int().min(1), z.enum(["each", "in-turn"])]).optional(),
    /** How long the client waits after half of the page's objects have arrived, until it requests the others; no wait if absent. */
    idleMs: z.number().optional(),
    /** The client has visited the page before, and has kept its cache. */
    view: z.literal("repeat").optional(),
    /** How the client finds out that a server supports HTTP/3; "forced" if absent. */
    discovery: z.enum(discoveries).exclude(["forced"]).optional(),
  }),
  /** `hosts`: the number of hosts that the page's objects are divided over. `document`: the loaded file of an imported page, if not index.html. */
  page: z.strictObject({
    name: nameSchema,
    hosts: z.int(),
    protocol: nameSchema,
    document: pathInsideSchema.optional(),
  }),
  /** Other traffic on the link; none if absent. */
  background: backgroundSchema.optional(),
});
export type Settings = z.infer<typeof settingsSchema>;

/** The settings with which a link is measured: without a page and without background flows. */
export const measuringSchema = settingsSchema.omit({ page: true, background: true });
export type Measuring = z.infer<typeof measuringSchema>;

/** A part of the settings, as one axis sets it. */
export type Patch = DeepPartial<Settings>;
type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;

/** Arrays are values: only objects have paths below them. */
const isBranch = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the path of each leaf of a patch, such as "route.server.initcwnd", with the leaf's value. */
export function leavesOf(patch: Patch): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  const walk = (value: object, path: string) => {
    for (const [key, inner] of Object.entries(value)) {
      const place = path ? `${path}.${key}` : key;
      if (isBranch(inner)) walk(inner, place);
      else if (inner !== undefined) leaves.set(place, inner);
    }
  };
  walk(patch, "");
  return leaves;
}

/** @param patches each with the name of its axis @throws Error if two patches set a path to different values, or a required value is missing */
export function mergePatches(patches: Iterable<readonly [string, Patch]>): Settings {
  const merged: Record<string, unknown> = {};
  const owners = new Map<string, [string, unknown]>();
  for (const [owner, patch] of patches) {
    for (const [path, value] of leavesOf(patch)) {
      const [other, set] = owners.get(path) ?? [owner, value];
      if (set !== value) throw new Error(`${path} is set to ${set} by ${other} and to ${value} by ${owner}`);
      owners.set(path, [owner, value]);
    }
    mergeInto(merged, patch);
  }
  return settingsSchema.parse(merged);
}

function mergeInto(target: Record<string, unknown>, source: object): void {
  for (const [key, value] of Object.entries(source)) {
    if (isBranch(value)) {
      const inner = (target[key] ?? {}) as Record<string, unknown>;
      target[key] = inner;
      mergeInto(inner, value);
    } else if (value !== undefined) target[key] = value;
  }
}
