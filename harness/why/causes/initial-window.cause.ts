import { unscaledSegments } from "../../../schema/linux.ts";
import { defineCause } from "../cause.ts";

/** As many segments as a client accepts at first: more cannot be sent, unless its receive window is larger too. */
const amplySegments = unscaledSegments;

export const cause = defineCause({
  name: "initial-window",
  title: "The initial congestion window",
  instead: `a window of ${amplySegments} segments`,
  removed: { initcwnd: amplySegments },
  isIn: ({ initcwnd }) => typeof initcwnd !== "number" || initcwnd < amplySegments,
  parts: ["window"],
});
