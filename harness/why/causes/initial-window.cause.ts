import { unscaledSegments } from "../../../schema/linux.ts";
import { defineCause } from "../cause.ts";

/** The number of segments that a client accepts at first: no more can be sent unless its receive window is larger, too. */
const amplySegments = unscaledSegments;

export const cause = defineCause({
  name: "initial-window",
  title: "The initial congestion window",
  instead: `a window of ${amplySegments} segments`,
  removed: { initcwnd: amplySegments },
  isIn: ({ initcwnd }) => typeof initcwnd !== "number" || initcwnd < amplySegments,
  parts: ["window"],
});
