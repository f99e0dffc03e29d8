import { noTrace } from "../../../axes/link-values.ts";
import { defineCause } from "../cause.ts";

/** In Mb/s: the fastest link in the lab's experiments whose measured rate is the configured one. A page of 3 MB still takes 0.24 s. */
const fast = 100;

export const cause = defineCause({
  name: "rate",
  title: "The bottleneck's rate",
  instead: `${fast} Mb/s both ways`,
  removed: { down: fast, up: fast, trace: noTrace },
  parts: ["rate", "queueing", "acknowledgments"],
});
