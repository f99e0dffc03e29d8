import { isOverQuic } from "../../../axes/flows.ts";
import type { Cause } from "../cause.ts";

export const cause: Cause = {
  name: "slow-start-after-idle",
  title: "Slow start after idle",
  instead: "windows that stay open on idle connections",
  removed: { slowStartAfterIdle: "off" },
  isIn: (all, registries) => all.congestion !== "bbr" && !isOverQuic(all, registries),
  parts: ["window"],
};
