import { isOverQuic } from "../../../axes/flows.ts";
import type { Cause } from "../cause.ts";

export const cause: Cause = {
  name: "hystart",
  title: "CUBIC's HyStart",
  instead: "slow start until the first loss",
  removed: { congestion: "cubic-no-hystart" },
  isIn: (all, registries) => all.congestion === "cubic" && !isOverQuic(all, registries),
  parts: ["slow start left"],
};
