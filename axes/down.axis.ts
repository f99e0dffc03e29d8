import { defineAxis } from "./axis.ts";
import { allOf, provesDirection, provesRate } from "./direction.ts";
import { bodyBytesOf } from "./expected.ts";
import { quantity } from "./values.ts";

/** Proven by what the shaper's kernel says of its queueing disciplines, and by packets that left the queue back to back. */
export const axis = defineAxis<number>({
  name: "down",
  title: "rate to the client",
  example: "10Mb/s",
  place: 40,
  field: "downMbps",
  value: quantity("rateMbps"),
  text: (mbps) => `${mbps}Mb/s`,
  sets: (mbps) => ({ link: { downMbps: mbps } }),
  proves: (mbps, all, evidence, registries) =>
    allOf(
      provesDirection("down", evidence.link.down, "rateMbps", mbps),
      provesRate("down", evidence, mbps, bodyBytesOf(all, registries)),
    ),
});
