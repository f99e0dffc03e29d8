import { defineAxis } from "./axis.ts";
import { firstOf, provesDirection } from "./direction.ts";
import { quantity } from "./values.ts";

/** Proven by the shaper's kernel. */
export const axis = defineAxis<number>({
  name: "queue",
  title: "each direction's drop-tail queue before the bottleneck",
  example: "50packets",
  place: 45,
  field: "queuePackets",
  value: quantity("queuePackets"),
  text: (packets) => `${packets}packets`,
  label: (packets) => `queue ${packets}`,
  sets: (packets) => ({ link: { queuePackets: packets } }),
  proves: (packets, _, { link: { down, up } }) =>
    firstOf(provesDirection("down", down, "queuePackets", packets), provesDirection("up", up, "queuePackets", packets)),
});
