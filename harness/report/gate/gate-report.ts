/** The result of a gate: what the page takes over each link, before and after, and which demands are met. A pure function of the run's files. */
import { startFile } from "../../../pages/paths.ts";
import { gateComparison } from "../../plan/gate.ts";
import type { SavedRun } from "../../record/records.ts";
import { contrast, pairsOf } from "../tables/scenario.ts";
import { type Demand, demandsOn, type GateRules } from "./demands.ts";
import { type Differences, differencesOf } from "./differences.ts";
import { type Reasons, reasonsOf } from "./reasons.ts";
import { type Medians, sidesOf } from "./sides.ts";

export interface GateRow {
  /** The HTML file. */
  page: string;
  link: string;
  before: Medians | null;
  after: Medians;
  /** For the measures that are compared; empty without a page to compare with. */
  differences: Differences;
  reasons: Reasons | null;
  demands: Demand[];
}

/** The versions from which all others follow. The first lane measures links and has no browser, so the last lane has them. */
const telling = ["chromium", "guestRoot", "kernelImage"];

export type GateReport = ReturnType<typeof gateReport>;

/** @throws LabError if the run is not valid and complete, because then its numbers show nothing */
export function gateReport(run: SavedRun, rules: GateRules) {
  const { folder, manifest, lanes } = run;
  const { baseline, comparisons } = manifest.experiment;
  const { sides, digest } = sidesOf(run);
  const option = comparisons[gateComparison];
  const pairs = option ? pairsOf(contrast(baseline, option), sides) : sides.map((side) => ({ option: side }));
  const rows = pairs.map((pair): GateRow => {
    const { baseline: before = null, option: after } = { baseline: undefined, ...pair };
    if (!after) throw new Error("a pair of the gate has no page");
    const { document = startFile, link } = after.condition.values;
    const row = {
      page: document,
      link,
      before: before?.medians ?? null,
      after: after.medians,
      differences: before ? differencesOf(before, after, pairs.length) : {},
      reasons: before && reasonsOf(before, after),
    };
    return { ...row, demands: demandsOn(row, rules) };
  });
  return {
    passed: rows.every(({ demands }) => demands.every(({ met }) => met)),
    run: folder,
    /** The digest of the run's lines: the same pages and versions give the same digest. */
    digest,
    loads: manifest.loads,
    threshold: rules.threshold,
    /** With another browser, kernel or version of the lab the numbers differ. */
    versions: {
      lab: manifest.commit,
      ...Object.fromEntries(telling.map((name) => [name, lanes.at(-1)?.versions[name] ?? ""])),
    },
    rows,
  };
}
