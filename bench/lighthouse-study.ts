/** Prints Lighthouse's estimated savings next to the savings that the lab measures when the same change is made. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { readRegistries } from "../axes/registries.ts";
import { axisNamed } from "../axes/registry.ts";
import type { Difference } from "../harness/gate/differences.ts";
import { gateExperiment, gateName } from "../harness/gate/gate-experiment.ts";
import type { GateRow } from "../harness/gate/gate-report.ts";
import { reportOn } from "../harness/gate/gate-verdict.ts";
import { say } from "../harness/output/output.ts";
import { valuesIn } from "../harness/plan/select.ts";
import { withLifetime } from "../harness/run/lifetime.ts";
import { type RunOptions, requestOf } from "../harness/run/request.ts";
import { carryOut, type RunSettings } from "../harness/run/run.ts";
import { median } from "../harness/statistics/quantile.ts";
import { readTopology, webHosts } from "../hosts/topology.ts";
import { givePage } from "../sites/given-page.ts";
import { startFile } from "../sites/paths.ts";
import {
  type AuditId,
  type LighthouseAudits,
  lighthouseLink,
  lighthouseVersion,
  openLighthouse,
} from "./lighthouse.ts";
import { changedCopy, lighthouseChanges, withoutOthers } from "./lighthouse-changes.ts";

const auditsOfEach = 3;
/** The lab's name of a measure -> Lighthouse's name. */
const measures = { firstContentfulPaint: "FCP", largestContentfulPaint: "LCP" } as const;

export interface StudyOptions extends Pick<RunOptions, "lanes" | "root"> {
  loads: number;
  startProgress: RunSettings["startProgress"];
}

/** @param sites folders with an index.html @throws LabError if Lighthouse cannot be installed, or a page cannot be loaded */
export async function benchLighthouse(sites: readonly string[], options: StudyOptions): Promise<void> {
  for (const site of sites) givePage(site, mostHosts()); // throws if a folder is not a page
  const scratch = mkdtempSync(join(tmpdir(), "lab-study-"));
  try {
    const rows: string[] = [];
    const seen: string[] = [];
    for (const [i, site] of sites.entries()) {
      const before = join(scratch, String(i), nameOf(site));
      cpSync(site, before, { recursive: true });
      withoutOthers(before);
      const audits = await audited(before);
      seen.push(`${basename(before)}: ${observedBy(audits)}`);
      rows.push(...(await studied(before, audits, options)));
    }
    console.log(`Lighthouse ${lighthouseVersion}, ${lighthouseLink}, HTTP/1.1 without TLS\n`);
    console.log(
      "| site | change | measure | Lighthouse: before, ms | estimated saving, ms | lab: before, ms | measured saving, ms |",
    );
    console.log("| :-- | :-- | :-- | --: | --: | --: | --: |");
    for (const row of rows) console.log(row);
    console.log("\nPaints that Lighthouse observed when it loaded the pages without a slow link:");
    for (const line of seen) console.log(line);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Returns the folder's name. For a folder named "dist", returns the name of its parent. */
const nameOf = (site: string): string => basename(resolve(site, basename(site) === "dist" ? ".." : "."));

const mostHosts = (): number => webHosts(readTopology()).length;

const audited = (folder: string): Promise<LighthouseAudits[]> =>
  withLifetime(async ({ signal }) => {
    const audit = await openLighthouse(signal);
    const all: LighthouseAudits[] = [];
    while (all.length < auditsOfEach) all.push(await audit(folder));
    return all;
  });

function observedBy(audits: readonly LighthouseAudits[]): string {
  const elements = new Set(
    audits.map((one) => one["largest-contentful-paint-element"].details.items[0].items[0].node.snippet),
  );
  const loads = audits.map(({ metrics }) => metrics.details.items[0]);
  const first = median(loads.map((one) => one.observedFirstContentfulPaint));
  const largest = median(loads.map((one) => one.observedLargestContentfulPaint));
  return `FCP ${first} ms, LCP ${largest} ms (element: ${[...elements].join(" or ")})`;
}

async function studied(before: string, audits: readonly LighthouseAudits[], options: StudyOptions): Promise<string[]> {
  const rows: string[] = [];
  for (const id of Object.keys(lighthouseChanges) as AuditId[]) {
    const change = lighthouseChanges[id];
    const after = changedCopy(before, `${before}-${id}`, change, audits[0]![id]);
    if (!after) continue;
    const row = await measured(before, after, options);
    for (const [measure, name] of Object.entries(measures)) {
      const estimated = median(audits.map((one) => one[id].metricSavings?.[name] ?? 0));
      const own = median(audits.map((one) => one[auditOf[name]].numericValue));
      const lab = row.before?.[measure]?.atMost ?? Number.NaN;
      const difference = row.comparisons[measure]?.difference ?? null;
      const cells = [
        basename(before),
        change.title,
        name,
        own.toFixed(0),
        estimated.toFixed(0),
        lab.toFixed(0),
        savingOf(lab, difference),
      ];
      rows.push(`| ${cells.join(" | ")} |`);
    }
  }
  return rows;
}

const auditOf = { FCP: "first-contentful-paint", LCP: "largest-contentful-paint" } as const;

/** Formats what a change saves, as in "120 (100 to 140)". @param beforeMs the median before the change */
function savingOf(beforeMs: number, difference: Difference | null): string {
  if (!difference || !("share" in difference)) return "not measured";
  const [saved, least, most] = [difference.share, difference.high, difference.low].map((share) => -share * beforeMs);
  return `${saved!.toFixed(0)} (${least!.toFixed(0)} to ${most!.toFixed(0)})`;
}

/** Measures as `./lab gate AFTER --against BEFORE` does. */
async function measured(
  before: string,
  after: string,
  { loads, startProgress, ...machine }: StudyOptions,
): Promise<GateRow> {
  const pages = { after: givePage(after, mostHosts()), before: givePage(before, mostHosts()) };
  const [protocol] = valuesIn(axisNamed("protocol", gateName), "h1c", gateName);
  const links = valuesIn(axisNamed("link", gateName), lighthouseLink, gateName);
  const asked = { documents: [startFile], links, protocol: protocol!, loads };
  const options: RunOptions = { ...machine, loads, only: [], with: [], clock: "virtual" };
  const experiment = gateExperiment({ ...pages, ...asked }, readRegistries());
  const demands = { threshold: "2%", budgets: [] };
  const request = { ...(await requestOf(gateName, experiment, options)), demands };
  const { rows } = reportOn(await carryOut(request, { ...options, print: say, startProgress }));
  return rows[0]!;
}
