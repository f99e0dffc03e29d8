import { defineAxis } from "./axis.ts";
import { allOf, provesDirection, provesRate } from "./direction.ts";
import { bodyBytesOf } from "./expected.ts";
import { quantity } from "./values.ts";

/** Proven by what the shaper's kernel says of its queueing disciplines, and by packets that left the queue back to back. */
export const axis = defineAxis<number>({
  name: "up",
  title: "rate from the client",
  example: "1Mb/s",
  place: 41,
  field: "upMbps",
  value: quantity("rateMbps"),
  text: (mbps) => `${mbps}Mb/s`,
  sets: (mbps) => ({ link: { upMbps: mbps } }),
  proves: (mbps, all, evidence, registries) =>
    allOf(
      provesDirection("up", evidence.link.up, "rateMbps", mbps),
      provesRate("up", evidence, mbps, bodyBytesOf(all, registries)),
    ),
});
