import { directions } from "../schema/link.ts";
import { defineAxis } from "./axis.ts";
import { allOf, provesDirection, provesQueue } from "./direction.ts";
import { linkOf } from "./link-values.ts";
import { wholeQuantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    queue: number;
  }
}

/** Confirmed by the shaper's kernel, and by no packet that took longer than a full queue allows. */
export const axis = defineAxis({
  name: "queue",
  title: "each direction's drop-tail queue before the bottleneck",
  example: "50packets",
  follows: "lossIn",
  field: "queuePackets",
  value: wholeQuantity("queuePackets"),
  text: (packets) => `${packets}packets`,
  label: (packets) => `queue ${packets}`,
  sets: (packets) => ({ link: { queuePackets: packets } }),
  proves: (packets, all, evidence) =>
    allOf(
      ...directions.flatMap((direction) => [
        provesDirection(direction, evidence.link[direction], "queuePackets", packets),
        provesQueue(direction, evidence, linkOf(all)),
      ]),
    ),
});
