import { directions } from "../schema/link.ts";
import { defineAxis, type Verdict } from "./axis.ts";
import { allOf, provesBoth } from "./direction.ts";
import { oneOf } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    reorder: "off" | "on";
  }
}

/** Confirmed by the shaper's kernel, and by packets that arrived before a packet that was sent earlier. */
export const axis = defineAxis({
  name: "reorder",
  shownByAnyLoad: true,
  title: "whether jitter reorders packets; off: each packet waits for those that were sent before it",
  example: "on",
  follows: "jitter",
  field: "reorder",
  value: oneOf(["off", "on"]),
  default: "off",
  label: (reorder) => `reordering ${reorder}`,
  id: (reorder) => `reorder-${reorder}`,
  sets: (reorder) => (reorder === "on" ? { link: { reorders: true } } : {}),
  refuses: (reorder, { jitter }) =>
    reorder === "on" && jitter === 0
      ? "only jitter reorders packets, and there is none; configure jitter, as in jitter=10ms"
      : null,
  proves(reorder, { aqm }, evidence) {
    const byKernel = provesBoth(evidence, "reorders", reorder === "on" ? true : undefined);
    const delays = directions.flatMap((direction) => evidence.packets.path[direction].transit ?? []);
    const counts = delays.flatMap((delay) => delay.reordered ?? []);
    if (counts.length < delays.length) return { contradicts: ["the evidence lacks the order of packets"] };
    const reordered = counts.reduce((sum, count) => sum + count, 0);
    const byPackets = (): Verdict => {
      if (reorder === "on")
        return reordered > 0
          ? "confirmed"
          : { notObservable: "no packet was sent soon enough after another to arrive before it" };
      // Queues that are fair between connections, or have two classes, keep the order only within a connection.
      return reordered === 0 || aqm !== "none"
        ? "confirmed"
        : { contradicts: [`${reordered} packets were reordered on a link that keeps their order`] };
    };
    return allOf(byKernel, byPackets());
  },
});
