/** Alters references to link measurements, and what all loads together show about a link. */
import { type Forgery, victimsLink } from "./forgery.ts";
import { onLane } from "./lanes.ts";
import { isCalm } from "./run-files.ts";

export const links: Forgery[] = [
  onLane(
    "a lane that names no measurement of the link",
    (lane) => void delete lane.calibrations[victimsLink],
    /its link was not measured before the load/,
  ),
  onLane(
    "a lane that names another link's measurement",
    (lane) => {
      lane.calibrations[victimsLink] = Object.entries(lane.calibrations).find(([name]) => name !== victimsLink)![1];
    },
    /its link was not measured before the load/,
  ),
  onLane(
    "all measurements of a link removed",
    (_, files) => {
      files.calibrations = files.calibrations.filter((one) => one.link !== victimsLink);
    },
    /its link was not measured before the load|is out of order/,
  ),
  {
    what: "no loss on a link that is configured to lose packets",
    forge(files) {
      files.loads = files.loads.map((load) => {
        if (load.link !== "20x2-20ms-1%") return load;
        const changed = structuredClone(load);
        const { link: counters } = changed.evidence;
        counters.up.queueDroppedPackets += counters.up.lostPackets;
        counters.up.lostPackets = 0;
        return changed;
      });
    },
    message: /Wrong link: 20x2-20ms-1% up lost/,
  },
  {
    what: "initcwnd removed from the evidence of all loads that lost packets, but not from their traces",
    forge(files) {
      files.loads = files.loads.map((load) => {
        if (isCalm(load)) return load;
        const changed = structuredClone(load);
        for (const { server } of changed.evidence.packets.flows) if (server) server.initcwnd = null;
        return changed;
      });
    },
    message: /its trace: .* its initcwnd is \d+ to \d+, but none by the evidence/,
  },
  {
    what: "initcwnd removed from the evidence of all loads that lost packets, in a run without traces",
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
];
