import { defineAxis } from "./axis.ts";
import { provesDirection } from "./direction.ts";
import { quantity } from "./values.ts";

/** Proven by what the shaper's kernel says of its queueing disciplines when the load has ended. */
export const axis = defineAxis<number>({
  name: "down",
  title: "rate to the client",
  example: "10Mb/s",
  place: 41,
  field: "downMbps",
  value: quantity("rateMbps"),
  text: (mbps) => `${mbps}Mb/s`,
  sets: (mbps) => ({ link: { downMbps: mbps } }),
  proves: (mbps, _, { link }) => provesDirection("down", link.down, "rateMbps", mbps),
});
