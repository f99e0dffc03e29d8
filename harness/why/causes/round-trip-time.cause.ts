import type { Cause } from "../cause.ts";

/** The RTT without the cause: short compared with the transfer time of a page's bytes on any link of the lab. */
const shortMs = 1;

export const cause: Cause = {
  name: "round-trip-time",
  title: "The link's round-trip time",
  instead: `a round-trip time of ${shortMs} ms`,
  removed: { rtt: shortMs },
  isIn: ({ rtt }) => rtt > shortMs,
  parts: ["connections", "propagation", "window", "slow start left"],
};
