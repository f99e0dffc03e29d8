/** Reads records of version 3 as version 4: it renames fields and drops the hash of the line before. Remove it when no such run is left. */

type Json = Record<string, unknown>;

const presentKeys: Record<string, string> = { base: "baseline", cases: "comparisons", case: "comparison" };
const withPresentWords = (json: Json): Json =>
  Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      presentKeys[key] ?? key,
      key === "quantity" && value === "gain" ? "speedup" : value,
    ]),
  );

/** The experiment of a manifest, with today's keys: the first runs of version 3 had others. */
export function migrateExperiment(experiment: Record<string, Json[]>): Json {
  const { tables, figures } = experiment;
  return {
    ...withPresentWords(experiment),
    tables: tables!.map(withPresentWords),
    ...(figures && { figures: figures.map(withPresentWords) }),
  };
}

const renamed = (json: Json, names: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(Object.entries(json).map(([key, value]) => [names[key] ?? key, value]));

/** A line of lanes.jsonl or calibration.jsonl. */
export const migrateLine = ({ previous: _, ...json }: Json): Json => renamed(json, { asked: "configured" });

/** A line of loads.jsonl. */
export function migrateLoad({ previous: _, ...json }: Json): Json {
  return json.evidence ? { ...json, evidence: migrateEvidence(json.evidence as Record<string, Json[]>) } : json;
}

const ofRequests = { by: "initiator", beside: "nonBlocking" };

function migrateEvidence({ connections, unanswered, cached, packets, ...evidence }: Record<string, Json[]>): Json {
  const { path, ...seen } = packets as unknown as { path: Record<string, Json> };
  const paths = Object.entries(path).map(([direction, { transit, ...counts }]) => {
    return [direction, { ...counts, transit: transit && renamed(transit as Json, { overtaken: "reordered" }) }];
  });
  return {
    ...evidence,
    version: 4,
    connections: connections!.map(({ requests, ...connection }) => ({
      ...connection,
      requests: (requests as Json[]).map((request) => renamed(request, ofRequests)),
    })),
    ...(unanswered && { unanswered: unanswered.map((one) => renamed(one, ofRequests)) }),
    ...(cached && { cached: cached.map((one) => renamed(one, ofRequests)) }),
    packets: { ...seen, path: Object.fromEntries(paths) },
  };
}
