import { lossParts } from "../../explain/parts.ts";
import { defineCause } from "../cause.ts";

export const cause = defineCause({
  name: "random-loss",
  title: "Random loss",
  instead: "no random loss",
  removed: { loss: 0, lossIn: "both", burst: 1 },
  parts: ["window after loss", ...lossParts],
});
