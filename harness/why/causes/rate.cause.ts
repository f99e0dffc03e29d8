import { noTrace } from "../../../axes/link-values.ts";
import type { Cause } from "../cause.ts";

/** The rate without the cause, in Mb/s: the highest in the lab's experiments that calibrations can confirm. A page of 3 MB still takes 0.24 s. */
const fast = 100;

export const cause: Cause = {
  name: "rate",
  title: "The bottleneck's rate",
  instead: `${fast} Mb/s both ways`,
  removed: { down: fast, up: fast, trace: noTrace },
  parts: ["rate", "queueing", "acknowledgments"],
};
