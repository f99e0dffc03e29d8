/** Runs of version 2, read as version 3. Nothing is invented: what version 2 did not keep is null. */

import type { Condition } from "../../schema/plan.ts";
import { conditionsOf } from "../plan/conditions.ts";
import type { Manifest } from "./manifest.ts";

type Json = Record<string, unknown>;

/** What turns a run's lines into the present version's; the values are not checked yet. */
export interface Migration {
  lanes: unknown[];
  calibrations: unknown[];
  load(json: unknown): unknown;
}

export function migrationOf(manifest: Manifest, lanes: unknown[], calibrations: unknown[]): Migration {
  if (manifest.recordedVersion !== 2) return { lanes, calibrations, load: (json) => json };
  const measured = (calibrations as Json[]).map(({ channel, ...calibration }, i): Json => {
    const { name, ...asked } = channel as Json;
    return { calibration: `v2.${i}`, link: name, asked, ...calibration };
  });
  const migrated = (lanes as Json[]).map((lane, i) => migrateLane(lane, i, measured));
  const byStart = migrated.toSorted((a, b) => String(a.startedAt).localeCompare(String(b.startedAt)));
  const conditions = conditionsOf(manifest.experiment, manifest.registries);
  const ids = new Map(conditions.map((condition) => [idInVersion2(condition), condition.id]));
  return { lanes: migrated, calibrations: measured, load: (json) => migrateLoad(json as Json, byStart, ids) };
}

/** The names that version 2 had for the same things. */
export function migrateManifest(json: Json): Json {
  const { experiment, registries, ...manifest } = json as Json & { experiment: Json; registries: Json };
  const { channel: link, ...axes } = experiment.axes as Json;
  const { channels, pages, ...rest } = registries;
  const known = Object.entries(pages as Json).map(([name, page]) => [name, { ...(page as Json), objects: null }]);
  const links = Object.entries(channels as Json).map(([name, link]) => {
    const { name: _, ...one } = link as Json;
    return [name, one];
  });
  const tables = (experiment.tables as Json[]).map((table) =>
    "summary" in table ? { ...table, notation: ["page", "servers", "down", "rtt", "loss"] } : table,
  );
  return {
    ...manifest,
    with: [],
    experiment: { ...experiment, axes: { ...axes, link }, tables },
    registries: {
      ...rest,
      links: Object.fromEntries(links),
      pages: Object.fromEntries(known),
      servers: {
        nginx: { header: "nginx", protocols: ["h1", "h2"] },
        node: { header: "node", protocols: ["h1", "h2"] },
      },
      clients: { chromium: { userAgent: "HeadlessChrome/", protocols: ["h1", "h2"] } },
      defaults: { server: "nginx", congestion: "cubic", client: "chromium", initrwnd: 44 },
    },
  };
}

/** In version 2 every axis was in an id. */
const idInVersion2 = ({ fields }: Condition) =>
  [
    fields.page,
    `${fields.servers}s`,
    fields.link,
    fields.protocol,
    `iw${fields.initcwnd}`,
    fields.server,
    fields.congestion,
  ].join("/");

/** Version 2 told by time which lane made a load, and which measurement came before. */
function migrateLane({ chunk, ...lane }: Json, i: number, calibrations: Json[]): Json {
  const before = calibrations.filter(({ measuredAt, final }) => final && String(measuredAt) <= String(lane.startedAt));
  const names = before.map(({ link, calibration }) => [link, calibration]);
  const { browser, ...versions } = lane.versions as Json;
  return {
    ...lane,
    lane: chunk ?? i,
    versions: { chromium: browser, ...versions },
    calibrations: Object.fromEntries(names),
  };
}

function migrateLoad(json: Json, lanes: Json[], ids: ReadonlyMap<string, string>): Json {
  const { channel, evidence, condition, ...load } = json;
  const made = lanes.findLast(({ startedAt }) => String(startedAt) <= String(load.startedAt));
  return {
    ...load,
    condition: ids.get(String(condition)) ?? condition,
    link: channel,
    lane: made?.lane,
    initrwnd: 44,
    client: "chromium",
    ...(evidence ? { evidence: migrateEvidence(evidence as Json) } : {}),
  };
}

function migrateEvidence({ connections, link, packets, ...evidence }: Json): Json {
  const { down, up } = link as Record<"down" | "up", Json>;
  const { flows, path, ...rest } = packets as Json & { flows: Json[]; path: Record<"down" | "up", Json> };
  const unknown = { atStart: null, atEnd: null };
  return {
    ...evidence,
    version: 2,
    userAgent: null,
    connections: (connections as Json[]).map((connection) => ({ ...connection, software: null })),
    link: { down: { ...down, ...unknown }, up: { ...up, ...unknown } },
    packets: {
      ...rest,
      synToRequestMs: null,
      requestToLastDataMs: null,
      path: { down: { ...path.down, transit: null }, up: { ...path.up, transit: null } },
      flows: flows.map((flow) => ({ ...flow, receiveWindow: null })),
    },
  };
}

const presentKeys: Record<string, string> = { base: "baseline", cases: "comparisons", case: "comparison" };
const withPresentWords = (json: Json): Json =>
  Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      presentKeys[key] ?? key,
      key === "quantity" && value === "gain" ? "speedup" : value,
    ]),
  );

/** The experiment of a manifest with the keys that experiments have today: version 3 began with others. */
export function migrateExperiment(experiment: Record<string, Json[]>): Json {
  const { tables, figures } = experiment;
  return {
    ...withPresentWords(experiment),
    tables: tables!.map(withPresentWords),
    ...(figures && { figures: figures.map(withPresentWords) }),
  };
}
