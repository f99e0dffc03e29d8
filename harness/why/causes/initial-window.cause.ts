import { unscaledSegments } from "../../../schema/linux.ts";
import type { Cause } from "../cause.ts";

/** The window without the cause, in segments: as large as the client's initial receive window. A larger one would not let the server send more. */
const amplySegments = unscaledSegments;

export const cause: Cause = {
  name: "initial-window",
  title: "The initial congestion window",
  instead: `a window of ${amplySegments} segments`,
  removed: { initcwnd: amplySegments },
  isIn: ({ initcwnd }) => typeof initcwnd !== "number" || initcwnd < amplySegments,
  parts: ["window"],
};
