import { defineAxis } from "./axis.ts";
import { provesDirection } from "./direction.ts";
import { quantity } from "./values.ts";

/** Proven by what the shaper's kernel says of its queueing disciplines when the load has ended. */
export const axis = defineAxis<number>({
  name: "up",
  title: "rate from the client",
  example: "1Mb/s",
  place: 42,
  field: "upMbps",
  value: quantity("rateMbps"),
  text: (mbps) => `${mbps}Mb/s`,
  sets: (mbps) => ({ link: { upMbps: mbps } }),
  proves: (mbps, _, { link }) => provesDirection("up", link.up, "rateMbps", mbps),
});
