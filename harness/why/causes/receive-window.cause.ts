import { isOverQuic } from "../../../axes/flows.ts";
import type { Cause } from "../cause.ts";

/** The window without the cause, in segments: enough for half of the lab's largest page in the first round trip. */
const amplySegments = 1000;

export const cause: Cause = {
  name: "receive-window",
  title: "The client's initial receive window",
  instead: `a receive window of ${amplySegments} segments`,
  removed: { initrwnd: amplySegments },
  isIn: (all, registries) => all.initrwnd < amplySegments && !isOverQuic(all, registries),
  parts: ["window"],
};
