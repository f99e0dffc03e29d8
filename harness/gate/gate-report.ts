/** Computes a gate's result from its run's files: the page's measures over each link, before and after, and which demands the page meets. */
import { errorsOf } from "../../axes/expected.ts";
import { keptHosts } from "../../sites/kept-pages.ts";
import { startFile } from "../../sites/paths.ts";
import { contrast } from "../plan/comparisons.ts";
import { leftOutOf, type Manifest } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { pairsOf } from "../tables/scenario.ts";
import { type Demand, demandsOn, type GateRules, gravestOf, type Result } from "./demands.ts";
import { type Comparisons, comparisonsOf } from "./differences.ts";
import { gateComparison } from "./gate-experiment.ts";
import { type HostBytes, hostBytesOf } from "./host-bytes.ts";
import { type Reasons, reasonsOf } from "./reasons.ts";
import { type Repeated, repeatedDemands } from "./repeated.ts";
import { type Medians, type Ranges, rangesOf } from "./sample.ts";
import { type GateSide, sidesOf } from "./sides.ts";
import { warningsOf } from "./warnings.ts";

/** A version of the page that could not be loaded, so nothing is known about it. */
export interface NotLoaded {
  page: string;
  version: "before" | "after";
  reason: string;
}

export interface GateRow {
  /** The HTML file. */
  page: string;
  link: string;
  before: Medians | null;
  after: Medians;
  /** Ranges of the page's later version. */
  ranges: Ranges;
  /** The numbers of loads that never ended, and of all loads. */
  endless: { before: number; after: number; of: number };
  repeated: Repeated;
  /** Empty without a page to compare with. */
  comparisons: Comparisons;
  reasons: Reasons | null;
  /** Empty for pages of one host. */
  hostBytes: HostBytes[];
  /** Paths that the page requests but its folder lacks, so the lab's server answers with an error. */
  errors: string[];
  demands: Demand[];
}

/** Names of the versions that determine all others. A report has those of the last lane, because the first one measures links without a browser. */
const telling = ["chromium", "guestRoot", "kernelImage"];

export type GateReport = ReturnType<typeof gateReport>;

/** @throws LabError if the run is invalid or incomplete, because its numbers would mean nothing */
export function gateReport(run: SavedRun, rules: GateRules) {
  const { folder, manifest, lanes } = run;
  const { baseline, comparisons } = manifest.experiment;
  const { sides, digest } = sidesOf(run);
  const option = comparisons[gateComparison];
  const pairs = option ? pairsOf(contrast(baseline, option), sides) : sides.map((side) => ({ option: side }));
  const notLoaded = notLoadedIn(manifest);
  const sameFiles = manifest.demands?.sameFiles === true;
  const compared = pairs.flatMap((pair): ComparedSides[] => {
    const { baseline: before = null, option: after } = { baseline: undefined, ...pair };
    return after ? [{ page: after.condition.values.document ?? startFile, before, after }] : [];
  });
  const rows = compared.map((sides) => rowOf(sides, pairs.length, rules, folder));
  const result: Result = gravestOf([
    ...rows.flatMap(({ demands }) => demands.map((demand) => demand.result)),
    ...notLoaded.map(({ version }) => (version === "after" ? "failed" : "undecided")),
  ]);
  return {
    result,
    passed: result === "passed",
    /** Whether there are any demands: these need an earlier page or a budget. */
    demanded: option !== undefined || sameFiles || rules.budgets.length > 0,
    /** Whether both versions of the page have the same files, so they were not compared. */
    sameFiles,
    run: folder,
    /** The digest of the run's lines: the same pages and versions give the same digest. */
    digest,
    loads: manifest.loads,
    threshold: rules.threshold,
    /** The numbers hold only for these versions of the lab, the browser and the kernel. */
    versions: {
      lab: manifest.commit,
      ...Object.fromEntries(telling.map((name) => [name, lanes.at(-1)?.versions[name] ?? ""])),
    },
    rows,
    warnings: warningsOf(compared),
    notLoaded,
  };
}

interface ComparedSides {
  page: string;
  before: GateSide | null;
  after: GateSide;
}

/** @returns each page and version that could not be loaded. Each is listed once, because the reason does not depend on the link */
export function notLoadedIn(manifest: Manifest): NotLoaded[] {
  const { baseline, comparisons } = manifest.experiment;
  const isCompared = gateComparison in comparisons;
  const all = leftOutOf(manifest).map(({ condition: { values }, reason }): NotLoaded => {
    const version = isCompared && values.page === baseline.page ? "before" : "after";
    return { page: values.document ?? startFile, version, reason };
  });
  return [...new Map(all.map((one) => [`${one.version} ${one.page}`, one])).values()];
}

function rowOf({ page, before, after }: ComparedSides, rowCount: number, rules: GateRules, folder: string): GateRow {
  const withHosts = (side: GateSide) => ({ ...side, hosts: keptHosts(folder, side.condition.values.page) });
  const row = {
    page,
    link: after.condition.values.link,
    before: before?.medians ?? null,
    after: after.medians,
    ranges: rangesOf(after),
    endless: { before: before?.endless ?? 0, after: after.endless, of: after.size },
    repeated: { before: before?.repeated ?? null, after: after.repeated },
    comparisons: before ? comparisonsOf(before, after, rowCount) : {},
    reasons: before && reasonsOf(before, after),
    hostBytes: hostBytesOf(before && withHosts(before), withHosts(after)),
    errors: errorsOf(after.learnt),
  };
  return { ...row, demands: [...demandsOn(row, rules), ...repeatedDemands(row.repeated, rowCount)] };
}
