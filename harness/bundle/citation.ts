import { readFileSync } from "node:fs";
import { parse, stringify } from "yaml";
import type { Manifest } from "../record/manifest.ts";

/** Returns the CITATION.cff (Citation File Format 1.2.0) of a run, which also cites the lab. @param lab the folder of the lab's source */
export function citationOf(
  { experiment, createdAt, commit }: Manifest,
  authors: readonly string[],
  lab: string,
): string {
  const { message: _, "cff-version": version, ...software } = parse(readFileSync("CITATION.cff", "utf8"));
  const { version: release } = JSON.parse(readFileSync(`${lab}/package.json`, "utf8")) as { version: string };
  return stringify({
    "cff-version": version,
    message: "If you use these measurements, please cite them, and the lab that made them.",
    type: "dataset",
    title: `${experiment.title}: measurements`,
    authors: (authors.length ? authors : ["anonymous"]).map((name) => ({ name })),
    "date-released": createdAt.slice(0, 10),
    references: [{ ...software, version: release, commit }],
  });
}
