import { directions } from "../schema/link.ts";
import { defineAxis } from "./axis.ts";
import { allOf, provesArrivals, provesBoth } from "./direction.ts";
import { quantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    corrupt: number;
  }
}

/** Confirmed by the shaper's kernel, and by packets that arrived with a wrong checksum, which kernels discard. */
export const axis = defineAxis({
  name: "corrupt",
  shownByAnyLoad: true,
  title: "how many packets arrive with a wrong bit, in each direction; their receiver discards them",
  example: "1%",
  follows: "duplicate",
  field: "corruptPercent",
  value: quantity("corruptPercent"),
  default: 0,
  unknownBefore: "the lab could corrupt packets",
  text: (percent) => `${percent}%`,
  label: (percent) => (percent === 0 ? "no corruption" : `${percent}% corrupted`),
  id: (percent) => `corrupt${percent}%`,
  sets: (percent) => (percent > 0 ? { link: { corruptPercent: percent } } : {}),
  refuses: (percent, { background }) =>
    percent > 0 && background !== "none"
      ? "captures check each packet's checksum, which would take too long for background flows; background none is allowed"
      : null,
  proves(percent, _, evidence) {
    const byKernel = provesBoth(evidence, "corruptPercent", percent > 0 ? percent : undefined);
    const damaged = directions.reduce((sum, way) => sum + (evidence.link[way].damagedPackets ?? 0), 0);
    return allOf(byKernel, provesArrivals(percent, damaged, "damaged"));
  },
});
