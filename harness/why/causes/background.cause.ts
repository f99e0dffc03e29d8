import { lossParts } from "../../explain/parts.ts";
import { defineCause } from "../cause.ts";

export const cause = defineCause({
  name: "background",
  title: "The flows beside the page",
  instead: "an empty link",
  removed: { background: "none" },
  parts: ["background", "window after loss", ...lossParts],
});
