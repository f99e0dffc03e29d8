/** For tests: loads of a made-up run, so that every gain is known beforehand. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { FlatCondition, LoadRecord } from "../../../schema/model.ts";
import { casesSchema, tablesSchema } from "../../plan/comparisons.ts";
import { type Published, publishedSchema } from "./published.ts";

const experiments = new URL("../../../experiments/", import.meta.url);
const readYaml = (name: string): unknown => parse(readFileSync(new URL(name, experiments), "utf8"));

const paperSchema = z.object({
  title: z.string(),
  loads: z.int(),
  base: casesSchema.shape.base,
  cases: casesSchema.shape.cases,
  tables: tablesSchema,
  axes: z.object({
    page: z.array(z.string()),
    servers: z.array(z.int()),
    channel: z.array(z.string()),
    protocol: z.array(z.string()),
    initcwnd: z.array(z.int()),
    server: z.array(z.string()),
    congestion: z.array(z.string()),
  }),
});

export const paperExperiment = paperSchema.parse(readYaml("spdy-initcwnd.yml"));
export const paperPublished: Published = publishedSchema.parse(readYaml("spdy-initcwnd.published.yml"));

export interface Axes {
  page?: string[];
  servers?: number[];
  channel?: string[];
  protocol?: string[];
  initcwnd?: number[];
  server?: string[];
  congestion?: string[];
}

/** The full product of the axes; channels by name, e.g. "10x1-20ms-0%". */
export function conditions(axes: Axes): FlatCondition[] {
  const {
    page = ["A"],
    servers = [1],
    channel = ["10x1-20ms-0%"],
    protocol = ["h1", "h2"],
    initcwnd = [3],
    server = ["nginx"],
    congestion = ["cubic"],
  } = axes;
  return product([page, servers, channel, protocol, initcwnd, server, congestion]).map(
    ([p, s, c, proto, iw, soft, cc]) => ({
      condition: [p, `${s}s`, c, proto, `iw${iw}`, soft, cc].join("/"),
      page: String(p),
      servers: Number(s),
      ...link(String(c)),
      protocol: String(proto),
      initcwnd: Number(iw),
      server: String(soft),
      congestion: String(cc),
    }),
  );
}

const product = (lists: (string | number)[][]): (string | number)[][] =>
  lists.reduce<(string | number)[][]>(
    (rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])),
    [[]],
  );

function link(channel: string) {
  const numbers = /^([\d.]+)x([\d.]+)-(\d+)ms-([\d.]+)%$/.exec(channel)?.slice(1).map(Number) ?? [];
  const [downMbps = 0, upMbps = 0, rttMs = 0, lossPercent = 0] = numbers;
  return { channel, downMbps, upMbps, rttMs, lossPercent, queuePackets: 50 };
}

interface Try {
  block?: number;
  attempt?: number;
}

const line = { startedAt: "2026-01-01T00:00:00.000Z", wallMs: 1000 };
const evidence = { requests: 1, failed: 0, connections: [], receivedBytes: 0, fromCache: 0, timing: {} };

export const okLoad = (
  condition: FlatCondition,
  pageLoadMs: number,
  { block = 1, attempt = 1 }: Try = {},
): LoadRecord => ({ ...condition, ...line, block, attempt, ok: true, pageLoadMs, evidence });

export const failedLoad = (condition: FlatCondition, { block = 1, attempt = 1 }: Try = {}): LoadRecord => ({
  ...condition,
  ...line,
  block,
  attempt,
  ok: false,
  reason: "timeout",
});

/** Whole blocks of loads. */
export const run = (
  planned: FlatCondition[],
  blocks: number,
  pageLoadMs: (condition: FlatCondition, block: number) => number,
): LoadRecord[] =>
  Array.from({ length: blocks }, (_, index) => index + 1).flatMap((block) =>
    planned.map((condition) => okLoad(condition, pageLoadMs(condition, block), { block })),
  );
