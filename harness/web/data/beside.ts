/** Two runs, condition by condition, as `./lab compare` has them. */
import { judgedLoads } from "../../judge/judged-loads.ts";
import { conditionsOfRun, type Manifest } from "../../record/manifest.ts";
import { readSavedRun } from "../../record/records.ts";
import { compareRuns } from "../../report/compare/compare.ts";
import type { BesideView } from "./model.ts";

interface Opened {
  folder: string;
  manifest: Manifest;
}

export function besideViews(first: Opened, second: Opened): BesideView[] {
  const loadsOf = ({ folder, manifest }: Opened) => ({
    manifest,
    loads: judgedLoads(readSavedRun(folder, manifest)),
  });
  const placesOf = ({ manifest }: Opened) => new Map(conditionsOfRun(manifest).map(({ id }, place) => [id, place]));
  const [inFirst, inSecond] = [placesOf(first), placesOf(second)];
  return compareRuns(loadsOf(first), loadsOf(second)).compared.map(
    ({ condition: { id }, ratio, interval, reason }) => ({
      id,
      conditions: [inFirst.get(id)!, inSecond.get(id)!],
      ratio,
      interval,
      reason,
    }),
  );
}
