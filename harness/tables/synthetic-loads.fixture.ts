/** For tests: loads of a made-up run, so that every speedup is known. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { readRegistries } from "../../axes/registries.ts";
import type { AxisValue, Condition, Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import { readClaims } from "../plan/claims.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { experimentSchema } from "../plan/experiment.ts";
import type { Published } from "../plan/published.ts";
import type { CountedLoad } from "./counted.ts";

const readYaml = (name: string): unknown => parse(readFileSync(`experiments/${name}`, "utf8"));

export const paperExperiment = experimentSchema.parse(readYaml("spdy-initcwnd.yml"));
export const paperPublished: Published = readClaims("spdy-initcwnd")!.published!;

const protocol = { scheme: "https", transport: "tcp", alpn: "x", port: 4430, connections: 6 } as const;
const spoken = ["h1", "h2", "h3"];
/** The lab's own links, with made-up pages, protocols and servers. */
export const registries: Registries = {
  ...readRegistries(),
  pages: Object.fromEntries(["A", "B", "C", "Z"].map((name) => [name, { requests: 1, objects: {}, bodyBytes: 1 }])),
  protocols: Object.fromEntries(spoken.map((name) => [name, protocol])),
  servers: Object.fromEntries(["nginx", "caddy"].map((name) => [name, { header: name, protocols: spoken }])),
  clients: { chromium: { userAgent: "x", protocols: spoken } },
  hosts: Array.from({ length: 10 }, (_, i) => ({ service: `server${i}`, name: `s${i}.lab`, address: `198.18.1.${i}` })),
};

/** Returns the full product of the axes. Links are given by name, as in "10x1-20ms-0%". */
export const conditions = (axes: Record<string, readonly AxisValue[]> = {}): Condition[] =>
  conditionsOf(
    {
      axes: { page: ["A"], servers: [1], link: ["10x1-20ms-0%"], protocol: ["h1", "h2"], initcwnd: [3], ...axes },
    },
    registries,
  );

interface Try {
  block?: number;
  attempt?: number;
}

const load = ({ id }: Condition, { block = 1, attempt = 1 }: Try) => ({ condition: id, block, attempt, marked: false });

export const okLoad = (condition: Condition, pageLoadMs: number, tried: Try = {}): CountedLoad => ({
  ...load(condition, tried),
  observed: "time",
  metrics: { pageLoadMs },
});

export const failedLoad = (condition: Condition, tried: Try = {}): CountedLoad => ({
  ...load(condition, tried),
  observed: null,
  metrics: { pageLoadMs: null },
});

/** Returns complete blocks of loads. @param pageLoadMs returns the time for a condition's flat fields (rttMs, lossPercent, ...) in a block */
export const run = (
  planned: Condition[],
  blocks: number,
  pageLoadMs: (fields: Values, block: number) => number,
): CountedLoad[] =>
  Array.from({ length: blocks }, (_, index) => index + 1).flatMap((block) =>
    planned.map((condition) => okLoad(condition, pageLoadMs(condition.fields, block), { block })),
  );
