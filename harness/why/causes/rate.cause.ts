import { defineCause } from "../cause.ts";

/** Mb/s, down and up: a page of 1.4 MB takes 11 ms. */
const fast = "1000/1000";

export const cause = defineCause({
  name: "rate",
  title: "The bottleneck's rate",
  instead: `${fast} Mb/s`,
  removed: { rate: fast },
  parts: ["rate", "queueing"],
});
