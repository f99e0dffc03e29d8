import { z } from "zod";
import { directions } from "../schema/link.ts";
import { counted } from "../schema/words.ts";
import { defineAxis, type Verdict } from "./axis.ts";

/** How much each direction loses, the axis `loss` proves; here, that the other one lost nothing at all. */
export const axis = defineAxis<string>({
  name: "lossIn",
  title: "which directions lose packets",
  example: "down",
  place: 44,
  field: "lossIn",
  value: z.enum(["both", "down", "up"]),
  default: "both",
  label: (lossIn) => (lossIn === "both" ? "loss both ways" : `loss ${lossIn} only`),
  id: (lossIn) => `loss-${lossIn}`,
  sets: (lossIn) => (lossIn === "down" || lossIn === "up" ? { link: { lossIn } } : {}),
  refuses(lossIn, { loss, burst }) {
    if (lossIn === "both") return null;
    if (loss === 0) return "the link loses nothing; give it a loss, as in loss=1%";
    return Number(burst ?? 1) > 1 ? "bursts of losses are in both directions; leave out burst" : null;
  },
  proves(lossIn, _, { link }): Verdict {
    const contradicts = directions.flatMap((direction) =>
      lossIn !== "both" && lossIn !== direction && link[direction].lostPackets > 0
        ? [`${direction}: ${counted(link[direction].lostPackets, "packet")} lost where only the other direction loses`]
        : [],
    );
    return contradicts.length ? { contradicts } : "held";
  },
});
