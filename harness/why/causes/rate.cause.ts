import { noTrace } from "../../../axes/link-values.ts";
import type { Cause } from "../cause.ts";

/**
 * The rate without the cause, in Mb/s. It is the highest rate in the lab's experiments that calibrations can confirm. The cause is not removed
 * completely, because a page of 3 MB takes 0.24 s at this rate.
 */
const fast = 100;

export const cause: Cause = {
  name: "rate",
  title: "The bottleneck's rate",
  instead: `${fast} Mb/s both ways`,
  removed: { down: fast, up: fast, trace: noTrace },
  parts: ["rate", "queueing", "acknowledgments"],
};
