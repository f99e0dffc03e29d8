/** Runs of version 3, read as this version. */

type Json = Record<string, unknown>;

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
