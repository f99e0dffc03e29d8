import type { Cause } from "../cause.ts";

export const cause: Cause = {
  name: "host-rtts",
  title: "Hosts that are farther away than the nearest",
  instead: "hosts that are equally far",
  removed: { hostRtts: "equal" },
  parts: ["propagation", "connections", "window", "slow start left"],
};
