import { type Direction, directions } from "../schema/link.ts";
import { counted } from "../schema/words.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { oneOf } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    lossIn: Direction | "both";
  }
}

/** Confirmed if the direction that should lose no packet lost none. The axis `loss` checks how much is lost. */
export const axis = defineAxis({
  name: "lossIn",
  shownByAnyLoad: true,
  title: "which directions lose packets",
  example: "down",
  follows: "loss",
  field: "lossIn",
  value: oneOf(["both", "down", "up"]),
  default: "both",
  label: (lossIn) => (lossIn === "both" ? "loss both ways" : `loss ${lossIn} only`),
  id: (lossIn) => `loss-${lossIn}`,
  sets: (lossIn) => (lossIn === "both" ? {} : { link: { lossIn } }),
  refuses(lossIn, { loss, burst }) {
    if (lossIn === "both") return null;
    if (loss === 0) return "the link loses no packets; configure a loss, as in loss=1%";
    return burst > 1 ? "bursts of losses can be configured only for both directions; leave out burst" : null;
  },
  proves: (lossIn, _, { link }) =>
    verdictOf(
      directions.flatMap((direction) =>
        lossIn !== "both" && lossIn !== direction && link[direction].lostPackets > 0
          ? [`${direction}: ${counted(link[direction].lostPackets, "packet")} lost; only the other direction loses any`]
          : [],
      ),
    ),
});
