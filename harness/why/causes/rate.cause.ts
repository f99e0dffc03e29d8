import { defineCause } from "../cause.ts";

/** Mb/s: the fastest link whose measurements agree with what was asked, in the lab's experiments. A page of 3 MB still takes 0.24 s. */
const fast = 100;

export const cause = defineCause({
  name: "rate",
  title: "The bottleneck's rate",
  instead: `${fast} Mb/s both ways`,
  removed: { down: fast, up: fast },
  parts: ["rate", "queueing"],
});
