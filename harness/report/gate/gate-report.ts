/** The result of a gate: what the page takes over each link, before and after, and which demands are met. A pure function of the run's files. */
import { gateComparison } from "../../plan/gate.ts";
import type { SavedRun } from "../../record/records.ts";
import { contrast, pairsOf } from "../tables/scenario.ts";
import { type Demand, demandsOn, type GateRules } from "./demands.ts";
import { type Differences, differencesOf } from "./differences.ts";
import { type Reasons, reasonsOf } from "./reasons.ts";
import { type Medians, sidesOf } from "./sides.ts";

export interface GateRow {
  link: string;
  before: Medians | null;
  after: Medians;
  /** Of what is compared; empty if nothing is. */
  differences: Differences;
  reasons: Reasons | null;
  demands: Demand[];
}

/** Of a lane's versions: those that the others follow from. The lane that measures links has no browser, and is the first. */
const telling = ["chromium", "guestRoot", "kernelImage"];

export type GateReport = ReturnType<typeof gateReport>;

/** @throws LabError if the run is not valid and complete, because then it shows nothing */
export function gateReport(run: SavedRun, rules: GateRules) {
  const { folder, manifest, lanes } = run;
  const { baseline, comparisons } = manifest.experiment;
  const { sides, digest } = sidesOf(run);
  const option = comparisons[gateComparison];
  const pairs = option ? pairsOf(contrast(baseline, option), sides) : sides.map((side) => ({ option: side }));
  const rows = pairs.map((pair): GateRow => {
    const { baseline: before = null, option: after } = { baseline: undefined, ...pair };
    if (!after) throw new Error("a pair of the gate has no page");
    const row = {
      link: String(after.condition.values.link),
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
    /** Of the run's lines: the same pages have the same by the same versions. */
    digest,
    loads: manifest.loads,
    threshold: rules.threshold,
    /** What the numbers belong to: another browser, kernel or lab has numbers of its own. */
    versions: {
      lab: manifest.commit,
      ...Object.fromEntries(telling.map((name) => [name, lanes.at(-1)?.versions[name] ?? ""])),
    },
    rows,
  };
}
