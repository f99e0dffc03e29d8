/** What a run says beside its loads: its plan and its lanes. */
import type { GoodLoad, Lane } from "../../schema/records.ts";
import { type Forgery, isVictim, onLoad, victim } from "./forgery.ts";
import { isCalm, type RunFiles } from "./run-files.ts";

export const laneOf = (files: RunFiles): Lane => {
  const { lane } = files.loads.find(isVictim)!;
  const at = files.lanes.findIndex((one) => one.lane === lane);
  files.lanes[at] = structuredClone(files.lanes[at]!);
  return files.lanes[at];
};
export const onLane = (what: string, change: (lane: Lane, files: RunFiles) => void, message: RegExp): Forgery => ({
  what,
  forge: (files) => change(laneOf(files), files),
  message,
});
export const link = victim.split("/")[2]!;
const without = (files: RunFiles, is: (load: GoodLoad) => boolean) => {
  files.loads = files.loads.filter((load) => !is(load));
};

export const run: Forgery[] = [
  { what: "a load left out", forge: (files) => without(files, isVictim), message: /1 missing/ },
  {
    what: "a load twice",
    forge: (files) => void files.loads.push(files.loads.find(isVictim)!),
    message: /its block has this condition already/,
  },
  {
    what: "the same evidence in another block, with a time of its own",
    forge(files) {
      files.manifest.loads = 2;
      const copy = structuredClone(files.loads.find(isVictim)!);
      const last = files.loads.findLast(({ lane }) => lane === copy.lane)!;
      const startedAt = new Date(Date.parse(last.startedAt) + last.wallMs + 10).toISOString();
      copy.evidence.timing.loadEventStart! += 0.3;
      files.loads.push({ ...copy, block: 2, startedAt, pageLoadMs: copy.evidence.timing.loadEventStart! });
    },
    message: /another load has the same evidence/,
  },
  onLoad("a failed try left out", (load) => void load.attempt++, /it is attempt 2, but attempt 1 has no line/),
  {
    what: "two lines in each other's place",
    forge({ loads }) {
      [loads[10], loads[12]] = [loads[12]!, loads[10]!];
    },
    message: /before the load before it had ended/,
  },
  {
    what: "two lines in each other's place, with each other's times of day",
    forge(files) {
      const [one, other] = [structuredClone(files.loads[10]!), structuredClone(files.loads[12]!)];
      files.loads[10] = { ...other, startedAt: one.startedAt, wallMs: other.wallMs };
      files.loads[12] = { ...one, startedAt: other.startedAt, wallMs: one.wallMs };
    },
    message: /differs from the plan's, which follows from the seed|before the load before it had ended/,
  },
  onLoad(
    "a load before its lane began",
    (load) => void (load.startedAt = "1999-01-01T00:00:00.000Z"),
    /it began at 1999/,
  ),
  {
    what: "another seed",
    forge: (files) => void (files.manifest.seed = 7),
    message: /differs from the plan's, which follows from the seed/,
  },
  {
    what: "conditions that were left out of the plan later, with their loads",
    forge(files) {
      files.manifest.only = [...(files.manifest.only as string[]), "page=A,B"];
      without(files, ({ page }) => page === "C");
    },
    message: /its position in its lane differs from the plan's, which follows from the seed/,
  },
  {
    what: "a plan that was extended later",
    forge: (files) => void (files.manifest.loads = 2),
    message: /run\.json was changed after the run began/,
  },
  {
    what: "a failed attempt whose lane was left out with all its lines",
    forge(files) {
      const gone = 1 + Math.max(...files.lanes.map(({ lane }) => lane));
      const { lane } = files.loads.find(isVictim)!;
      files.lanes = files.lanes.map((one) => (one.lane === lane ? { ...one, lane: gone + 1 } : one));
      files.loads = files.loads.map((load) => (load.lane === lane ? { ...load, lane: gone + 1 } : load));
    },
    message: /whether attempts failed in chunks without any line: .*\d/,
  },
  {
    what: "two lanes of one machine at the same time on the real clock",
    forge(files) {
      const { lane: first } = files.loads[0]!;
      const { lane: second } = files.loads.find(({ lane }) => lane !== first)!;
      const { startedAt } = files.loads.find((load) => load.lane === first)!;
      files.lanes = files.lanes.map((lane) => ({ ...lane, clock: "real" }));
      files.loads = files.loads.map((load) => (load.lane === second ? { ...load, startedAt } : load));
    },
    message: /while lane \d+ was making a load on the same machine/,
  },
  {
    what: "another link by the same name",
    forge(files) {
      const registries = structuredClone(files.manifest.registries) as { links: Record<string, { downMbps: number }> };
      registries.links[link]!.downMbps = 8;
      files.manifest.registries = registries;
    },
    message: /it is not in the plan|the manifest/,
  },
  {
    what: "a page that has fewer objects",
    forge(files) {
      const registries = structuredClone(files.manifest.registries) as { pages: Record<string, { requests: number }> };
      registries.pages.A!.requests--;
      files.manifest.registries = registries;
    },
    message: /\d+ requests instead of \d+/,
  },
  onLane(
    "no lane",
    (lane, files) => void (files.lanes = files.lanes.filter((one) => one !== lane)),
    /its lane \d+ is not in lanes\.jsonl/,
  ),
  onLane("a lane twice", (lane, files) => void files.lanes.push(lane), /two lanes have number/),
  onLane(
    "a lane on another clock",
    (lane) => void (lane.clock = lane.clock === "real" ? "virtual" : "real"),
    /its lane's clock is/,
  ),
  onLane("a lane without SACK", (lane) => void (lane.sysctls.tcp_sack = "0"), /tcp_sack was 0 on the client/),
  onLane(
    "a lane without window scaling",
    (lane) => void (lane.sysctls.tcp_window_scaling = "0"),
    /tcp_window_scaling was 0/,
  ),
  onLane(
    "a lane whose TCP remembers",
    (lane) => void (lane.sysctls.tcp_no_metrics_save = "0"),
    /tcp_no_metrics_save was 0/,
  ),
  onLane("a lane whose TCP is not the others'", (lane) => void (lane.sysctls.tcp_recovery = "0"), /tcp_recovery was/),
  onLane("a lane that ran elsewhere", (lane) => void (lane.substrate = "compose"), /ran on|the first on/),
  onLane(
    "a lane that names no measurement of the link",
    (lane) => void delete lane.calibrations[link],
    /its link was not measured before the load/,
  ),
  onLane(
    "a lane that names another link's measurement",
    (lane) => {
      lane.calibrations[link] = Object.entries(lane.calibrations).find(([name]) => name !== link)![1];
    },
    /its link was not measured before the load/,
  ),
  onLane(
    "a link that was not measured",
    (_, files) => {
      files.calibrations = files.calibrations.filter((one) => one.link !== link);
    },
    /its link was not measured before the load|is out of order/,
  ),
  {
    what: "no loss on a link that should lose",
    forge(files) {
      files.loads = files.loads.map((load) => {
        if (load.link !== "20x2-20ms-1%") return load;
        const changed = structuredClone(load);
        const { link: counters, packets: seen } = changed.evidence;
        counters.up.queueDroppedPackets += counters.up.lostPackets;
        counters.up.lostPackets = 0;
        seen.path.up.shapedPackets += 0;
        return changed;
      });
    },
    message: /Wrong link: 20x2-20ms-1% up lost/,
  },
  {
    what: "no initcwnd in any load that lost a packet, with its trace",
    forge(files) {
      files.loads = files.loads.map((load) => {
        if (isCalm(load)) return load;
        const changed = structuredClone(load);
        for (const { server } of changed.evidence.packets.flows) if (server) server.initcwnd = null;
        return changed;
      });
    },
    message: /its trace: .* its initcwnd is \d+ to \d+, none by the evidence/,
  },
  {
    what: "no initcwnd in any load that lost a packet, of a run that keeps no traces",
    forge(files) {
      files.manifest.traces = "none";
      files.loads = files.loads.map((load) => {
        const changed = structuredClone(load);
        delete changed.trace;
        if (isCalm(load)) return changed;
        for (const { server } of changed.evidence.packets.flows) if (server) server.initcwnd = null;
        return changed;
      });
    },
    message: /initcwnd was inconclusive in \d+ loads; random loss explains/,
  },
  onLane(
    "a lane on another chunk's day",
    (lane) => void (lane.startedAt = lane.startedAt.replace("-01T", "-02T").replace(/-(\d\d)T/, "-30T")),
    /its virtual day begins at/,
  ),
];
