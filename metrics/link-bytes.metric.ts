import { linkPackets, type Metric } from "./metric.ts";

/** The draft, section 6: fewer packets that carry nothing make less data. With Ethernet's headers, as the shaper counts. */
export const metric: Metric = {
  name: "linkKB",
  title: "data over the link, both ways",
  unit: "KB",
  of: (evidence) => linkPackets(evidence).bytes / 1000,
};
