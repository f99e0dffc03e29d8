import { lossPercentOf } from "../schema/link.ts";
import { defineAxis } from "./axis.ts";
import { allOf, provesDirection } from "./direction.ts";
import { linkOf } from "./link-values.ts";
import { quantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    loss: number;
  }
}

/** Confirmed by the shaper's kernel. How many packets a lossy link lost is judged over all its loads (harness/judge/link/pooled-loss.ts). */
export const axis = defineAxis({
  name: "loss",
  shownByAnyLoad: true,
  title: "random loss in each direction (with lossIn: only in one)",
  example: "1%",
  follows: "rtt",
  field: "lossPercent",
  value: quantity("lossPercent"),
  text: (percent) => `${percent}%`,
  label: (percent) => `${percent}% PLR`,
  sets: (percent) => ({ link: { lossPercent: percent } }),
  proves(percent, all, { link: { down, up } }, registries) {
    const lost = down.lostPackets + up.lostPackets;
    if (percent === 0 && lost > 0) return { contradicts: [`${lost} packets were lost on a link that loses none`] };
    const link = linkOf(all, registries);
    return allOf(
      provesDirection("down", down, "lossPercent", lossPercentOf(link, "down")),
      provesDirection("up", up, "lossPercent", lossPercentOf(link, "up")),
    );
  },
});
