import { lossParts } from "../../explain/parts.ts";
import type { Cause } from "../cause.ts";

/** In packets: more than servers have in flight with the largest windows that a load reaches. */
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
