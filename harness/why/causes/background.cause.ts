import { lossParts } from "../../explain/parts.ts";
import type { Cause } from "../cause.ts";

export const cause: Cause = {
  name: "background",
  title: "The flows beside the page",
  instead: "an empty link",
  removed: { background: "none" },
  parts: ["background", "window after loss", ...lossParts],
};
