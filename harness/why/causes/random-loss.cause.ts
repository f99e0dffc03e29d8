import { lossParts } from "../../explain/parts.ts";
import type { Cause } from "../cause.ts";

export const cause: Cause = {
  name: "random-loss",
  title: "Random loss",
  instead: "no random loss",
  removed: { loss: 0, lossIn: "both", burst: 1 },
  parts: ["window after loss", ...lossParts],
};
