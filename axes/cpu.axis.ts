import { tolerance } from "../schema/tolerances.ts";
import { defineAxis } from "./axis.ts";
import { quantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    cpu: number;
  }
}

/** Confirmed by how long the page computes after the load, with and without throttling. Other programs may use `tolerance.otherCores` meanwhile. */
export const axis = defineAxis({
  name: "cpu",
  title: "how many times slower the page computes (DevTools' CPU throttling)",
  example: "4x",
  follows: "view",
  field: "cpuSlowdown",
  value: quantity("cpuSlowdown"),
  default: 1,
  text: (factor) => `${factor}x`,
  label: (factor) => (factor === 1 ? "CPU as it is" : `CPU ${factor}x slower`),
  id: (factor) => `cpu${factor}x`,
  sets: (factor) => (factor === 1 ? {} : { client: { cpuSlowdown: factor } }),
  refuses(factor, { client }, { clients }) {
    const drivenBy = clients[client]?.drivenBy;
    return drivenBy && factor !== 1 ? `${drivenBy} cannot slow down pages in client ${client}; 1x is allowed` : null;
  },
  proves(factor, _, { slowdown }) {
    if (factor === 1 && slowdown)
      return { contradicts: ["the page was slowed down, but the condition has no slowdown"] };
    if (factor === 1) return { notObservable: "no slowdown is configured, so none is measured" };
    if (!slowdown) return { contradicts: ["the evidence has no measurement of the slowdown"] };
    const is = slowdown.slowedMs / slowdown.plainMs;
    const off = Math.max(is / factor, factor / is);
    return off <= 1 + tolerance.otherCores
      ? "confirmed"
      : { contradicts: [`the page computed ${is.toFixed(2)} times slower instead of ${factor} times`] };
  },
});
