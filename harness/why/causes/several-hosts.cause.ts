import type { Cause } from "../cause.ts";

export const cause: Cause = {
  name: "several-hosts",
  title: "The use of several hosts",
  instead: "one host for all of the page",
  removed: { servers: 1, hostRtts: "equal" },
  parts: ["connections"],
};
