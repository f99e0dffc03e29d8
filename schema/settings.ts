/** What the lab is brought to for a condition. All that lanes and agents know of it: no axis, no experiment. */
import { z } from "zod";
import { linkSchema } from "./link.ts";
import { tlsSchema } from "./tls.ts";

/** TCP on the route to the other side: the one place that sets it, whatever a host's defaults are. ip-route(8) */
export const routeSchema = z.strictObject({
  congestion: z.string(),
  /** Whether CUBIC leaves slow start before a loss: a parameter of the kernel, for all of its hosts. On where absent. */
  hystart: z.literal(false).optional(),
  /** Segments; the kernel's own where absent. */
  initcwnd: z.int().optional(),
  /** Each server's initcwnd follows from what it knows of the client by a visit before (models/adaptive-window.ts). */
  adaptive: z.literal(true).optional(),
  initrwnd: z.int().optional(),
});
export type RouteTcp = z.infer<typeof routeSchema>;

export const settingsSchema = z.strictObject({
  link: linkSchema,
  route: z.strictObject({ client: routeSchema, server: routeSchema }),
  server: z.strictObject({
    software: z.string(),
    tls: tlsSchema,
    /** Answers say what a client may keep of them (schema/caching.ts). */
    caching: z.literal(true).optional(),
    /** It logs its connections, where it can: for a load that is no sample. */
    logs: z.literal(true).optional(),
    /** What it waits before it answers a request; nothing where absent. */
    thinkTimeMs: z.number().optional(),
  }),
  client: z.strictObject({
    software: z.string(),
    /** Kernel parameters of the client's host; every other keeps the value it had. sysctl(8) */
    sysctls: z.record(z.string(), z.string()),
    /** How many times slower a page is to compute; as fast as the machine, where absent. */
    cpuSlowdown: z.number().optional(),
    /** The page has been visited before, and what its cache kept is there. */
    view: z.literal("repeat").optional(),
  }),
  /** `hosts`: how many hosts the page's objects are divided over. */
  page: z.strictObject({ name: z.string(), hosts: z.int(), protocol: z.string() }),
});
export type Settings = z.infer<typeof settingsSchema>;

/** A part of the settings: what one axis sets. */
export type Patch = DeepPartial<Settings>;
type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;

/** Every leaf of a patch, by its path: "route.server.initcwnd". */
export function leavesOf(patch: Patch): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  const walk = (value: object, path: string) => {
    for (const [key, inner] of Object.entries(value)) {
      const place = path ? `${path}.${key}` : key;
      if (typeof inner === "object" && inner !== null) walk(inner as object, place);
      else if (inner !== undefined) leaves.set(place, inner);
    }
  };
  walk(patch, "");
  return leaves;
}

/**
 * All patches as one.
 * @param patches by who made them
 * @throws Error when two set the same thing to different values, or nobody sets what must be set
 */
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
    if (typeof value === "object" && value !== null) {
      const inner = (target[key] ?? {}) as Record<string, unknown>;
      target[key] = inner;
      mergeInto(inner, value as object);
    } else if (value !== undefined) target[key] = value;
  }
}
