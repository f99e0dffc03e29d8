import { defineCause } from "../cause.ts";

/** Mb/s: a page of 3 MB takes 24 ms. */
const fast = 1000;

export const cause = defineCause({
  name: "rate",
  title: "The bottleneck's rate",
  instead: `${fast} Mb/s both ways`,
  removed: { down: fast, up: fast },
  parts: ["rate", "queueing"],
});
