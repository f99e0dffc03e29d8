/** What a run was made on, what its links were measured to be, and what `./lab verify` says of it. */
import { lossPercentOf } from "../../../schema/link.ts";
import type { Calibration, Lane } from "../../../schema/records.ts";
import type { NamedLoad, RunVerdict } from "../../judge/run-verdict.ts";
import type { SavedRun } from "../../record/records.ts";
import type { LabView, Listed } from "./model.ts";

/** As many as anybody reads; `./lab verify --json` has all. */
const mostListed = 200;

/** @param failed attempts that failed, as they came */
export function labView(run: SavedRun, verdict: RunVerdict, failed: Listed): LabView {
  const { manifest, lanes, calibrations } = run;
  const { name, commit, seed, clock, createdAt, only, with: replaced, registries } = manifest;
  const facts: [string, string][] = [
    ["experiment", name],
    ["clock", clock],
    ["commit of the lab", commit],
    ["begun", createdAt],
    ["seed", String(seed)],
    ["--only", only.join(" ") || "–"],
    ["--with", replaced.join(" ") || "–"],
  ];
  return {
    hosts: registries.hosts,
    links: verdict.links.map((link) => linkView(link, calibrations)),
    lanes: groupedLanes(lanes.toSorted((a, b) => a.lane - b.lane)),
    sysctls: Object.entries(lanes[0]?.sysctls ?? {}),
    run: facts,
    proof: verdict.axes,
    notes: verdict.notes,
    invalid: listed(verdict.invalid),
    flagged: listed(verdict.flagged),
    failed,
  };
}

export function addTo(list: Listed, { condition, block, attempt, reasons }: NamedLoad): void {
  list.total++;
  if (list.first.length < mostListed)
    list.first.push(`${condition}, block ${block}, attempt ${attempt}: ${reasons.join("; ")}`);
}

function listed(loads: readonly NamedLoad[]): Listed {
  const list: Listed = { total: 0, first: [] };
  for (const load of loads) addTo(list, load);
  return list;
}

function linkView({ link, configured, measured, deviations }: Calibration, all: readonly Calibration[]) {
  const { rttMs, down, up, goodputMbps, goodputLimitMbps } = measured;
  const known = (value: number) => (Number.isNaN(value) ? null : value);
  const figure = (what: string, unit: string, wanted: number, seen: number) => ({
    what,
    unit,
    configured: wanted,
    measured: known(seen),
  });
  return {
    link,
    deviations,
    attempts: all.filter((one) => one.link === link).length,
    figures: [
      figure("RTT", "ms", configured.rttMs, rttMs.median),
      figure("rate down", "Mb/s", configured.downMbps, down.rateMbps),
      figure("rate up", "Mb/s", configured.upMbps, up.rateMbps),
      figure("loss down", "%", lossPercentOf(configured, "down"), down.lossPercent),
      figure("loss up", "%", lossPercentOf(configured, "up"), up.lossPercent),
      figure("queue down", "packets", configured.queuePackets, down.queuePackets),
      figure("queue up", "packets", configured.queuePackets, up.queuePackets),
      figure("TCP goodput", "Mb/s", goodputLimitMbps, goodputMbps),
    ],
  };
}

/** Lanes that ran on the same stand together. */
function groupedLanes(lanes: readonly Lane[]): LabView["lanes"] {
  const groups = new Map<string, LabView["lanes"][number]>();
  for (const { lane, substrate, shaper, machine, versions, sandbox } of lanes) {
    const facts: [string, string][] = [
      ["substrate", substrate],
      ["shaper", `${shaper.name}, ${shaper.kernel}`],
      ["processor", `${machine.cpu}, ${machine.cores} cores, ${machine.memoryMiB} MiB`],
      ["kernel", machine.kernel],
      ["the browser's own sandbox", sandbox ? "on" : "off"],
      ...Object.entries(versions),
    ];
    const key = JSON.stringify(facts);
    const group = groups.get(key) ?? { lanes: [], facts };
    group.lanes.push(lane);
    groups.set(key, group);
  }
  return [...groups.values()];
}
