import { noTrace } from "../../../axes/link-values.ts";
import type { Cause } from "../cause.ts";

/** In Mb/s: the highest rate in the lab's experiments that calibrations can confirm. A page of 3 MB still takes 0.24 s at this rate. */
const fast = 100;

export const cause: Cause = {
  name: "rate",
  title: "The bottleneck's rate",
  instead: `${fast} Mb/s both ways`,
  removed: { down: fast, up: fast, trace: noTrace },
  parts: ["rate", "queueing", "acknowledgments"],
};
