import { defineCause } from "../cause.ts";

/** Longer than what any of the lab's pages has in flight at once: a page of 1.4 MB is 1,000 full packets. */
const unlimited = 1000;

export const cause = defineCause({
  name: "queue-limit",
  title: "The limit of the bottleneck's queue",
  instead: `a queue of ${unlimited} packets`,
  removed: { queue: unlimited, queueUp: "same" },
  isIn: ({ queue }) => typeof queue !== "number" || queue < unlimited,
  parts: ["window after loss", "fast retransmit", "tail probe", "timeout"],
});
