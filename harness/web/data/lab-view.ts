/** The machine and software that a run was made on, the measurements of its links, and the verdict of `./lab verify`. */
import { attemptTitle } from "../../../schema/attempt.ts";
import { lossPercentOf } from "../../../schema/link.ts";
import type { Calibration, Lane } from "../../../schema/records.ts";
import { inBrief } from "../../../schema/words.ts";
import type { NamedLoad, RunVerdict } from "../../judge/run/run-verdict.ts";
import type { SavedRun } from "../../record/records.ts";

/** The report lists at most this many loads; `./lab verify --json` lists all. */
const mostListed = 200;

type Facts = [what: string, value: string][];

export type LabView = ReturnType<typeof labView>;

/** @param failed the failed attempts, in file order */
export function labView(
  { manifest, lanes, calibrations }: SavedRun,
  verdict: RunVerdict,
  failed: readonly NamedLoad[],
) {
  const { name, commit, seed, clock, createdAt, only, with: replaced, registries } = manifest;
  const facts: Facts = [
    ["experiment", name],
    ["clock", clock],
    ["commit of the lab", commit],
    ["started", createdAt],
    ["seed", String(seed)],
    ["--only", only.join(" ") || "–"],
    ["--with", replaced.join(" ") || "–"],
    ["hosts", registries.hosts.map((host) => `${host.name} ${host.address}`).join(", ")],
  ];
  return {
    links: verdict.links.map((link) => linkView(link, calibrations)),
    lanes: groupedLanes(lanes.toSorted((a, b) => a.lane - b.lane)),
    sysctls: Object.entries(lanes[0]?.sysctls ?? {}),
    run: facts,
    proof: verdict.axes,
    notes: verdict.notes,
    invalid: listed(verdict.invalid),
    flagged: listed(verdict.flagged),
    failed: listed(failed),
  };
}

/** The length of a list, and its first entries only, because the list may be as long as the run. */
export type Listed = ReturnType<typeof listed>;
const listed = (loads: readonly NamedLoad[]) => ({
  total: loads.length,
  first: loads.slice(0, mostListed).map((load) => `${attemptTitle(load)}: ${inBrief(load.reasons)}`),
});

function linkView({ link, configured, measured, deviations }: Calibration, all: readonly Calibration[]) {
  const { rttMs, down, up, goodputMbps, goodputLimitMbps } = measured;
  const figure = (what: string, unit: string, wanted: number, seen: number) => {
    return { what, unit, configured: wanted, measured: Number.isNaN(seen) ? null : seen };
  };
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

function groupedLanes(lanes: readonly Lane[]) {
  const groups = new Map<string, { lanes: number[]; facts: Facts }>();
  for (const { lane, substrate, shaper, machine, versions, sandbox } of lanes) {
    const facts: Facts = [
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
