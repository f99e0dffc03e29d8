import { directions } from "../schema/link.ts";
import { defineAxis } from "./axis.ts";
import { allOf, provesArrivals, provesBoth } from "./direction.ts";
import { quantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    duplicate: number;
  }
}

/** Confirmed by the shaper's kernel, and by packets that arrived twice. */
export const axis = defineAxis({
  name: "duplicate",
  shownByAnyLoad: true,
  title: "how many packets arrive twice, in each direction",
  example: "1%",
  follows: "burst",
  field: "duplicatePercent",
  value: quantity("duplicatePercent"),
  default: 0,
  unknownBefore: "the lab could duplicate packets",
  text: (percent) => `${percent}%`,
  label: (percent) => (percent === 0 ? "no copies" : `${percent}% twice`),
  id: (percent) => `dup${percent}%`,
  sets: (percent) => (percent > 0 ? { link: { duplicatePercent: percent } } : {}),
  refuses: (percent, { loss }) =>
    percent > 0 && loss > 0
      ? "if netem both loses and duplicates a packet, it does not count the loss; only loss=0% is allowed"
      : null,
  proves(percent, _, evidence) {
    const byKernel = provesBoth(evidence, "duplicatePercent", percent > 0 ? percent : undefined);
    const copies = directions.reduce((sum, way) => sum + (evidence.packets.path[way].copies ?? 0), 0);
    return allOf(byKernel, provesArrivals(percent, copies, "twice"));
  },
});
