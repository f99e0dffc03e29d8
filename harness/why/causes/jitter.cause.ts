import type { Cause } from "../cause.ts";

export const cause: Cause = {
  name: "jitter",
  title: "Jitter",
  instead: "the same delay for each packet",
  removed: { jitter: 0, reorder: "off" },
  parts: ["fast retransmit"],
};
