import { isOverQuic } from "../../../axes/flows.ts";
import { defineCause } from "../cause.ts";

export const cause = defineCause({
  name: "hystart",
  title: "CUBIC's HyStart",
  instead: "slow start until the first loss",
  removed: { congestion: "cubic-no-hystart" },
  isIn: (all, registries) => all.congestion === "cubic" && !isOverQuic(all, registries),
  parts: ["slow start left"],
});
