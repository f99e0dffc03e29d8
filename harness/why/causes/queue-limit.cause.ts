import { lossParts } from "../../explain/parts.ts";
import type { Cause } from "../cause.ts";

/** The limit without the cause, in packets. Even with the largest windows of a load, servers have fewer packets in flight. */
const unlimited = 1000;

export const cause: Cause = {
  name: "queue-limit",
  title: "The limit of the bottleneck's queue",
  instead: `a queue of ${unlimited} packets`,
  removed: { queue: unlimited, queueUp: "same" },
  isIn: ({ queue, queueUp }) =>
    [queue, queueUp].some((limit) => limit !== "same" && (typeof limit !== "number" || limit < unlimited)),
  parts: ["window after loss", ...lossParts],
};
