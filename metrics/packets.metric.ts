import { linkPackets, type Metric } from "./metric.ts";

/** The draft, section 6: what routers on the way work for. */
export const metric: Metric = {
  name: "packets",
  title: "packets over the link, both ways",
  unit: "",
  of: (evidence) => linkPackets(evidence).packets,
};
