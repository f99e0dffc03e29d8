import { defineAxis } from "./axis.ts";
import { provesBoth } from "./direction.ts";
import { quantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    burst: number;
  }
}

/** Confirmed by the shaper's kernel. A calibration measures how many packets are really lost in a row. */
export const axis = defineAxis({
  name: "burst",
  shownByAnyLoad: true,
  title: "how many packets are lost in a row, on average (Gilbert's model); 1: independent losses",
  example: "4packets",
  follows: "reorder",
  field: "burstPackets",
  value: quantity("burstPackets"),
  default: 1,
  text: (packets) => `${packets}packets`,
  label: (packets) => (packets === 1 ? "single losses" : `bursts of ${packets}`),
  id: (packets) => `burst${packets}`,
  sets: (packets) => (packets > 1 ? { link: { lossBurstPackets: packets } } : {}),
  refuses: (packets, { loss }) =>
    packets > 1 && loss === 0 ? "the link loses no packets; configure a loss, as in loss=1%" : null,
  proves: (packets, _, evidence) => provesBoth(evidence, "lossBurstPackets", packets > 1 ? packets : undefined),
});
