import { defineCause } from "../cause.ts";

export const cause = defineCause({
  name: "several-hosts",
  title: "That the page comes from several hosts",
  instead: "one host for all of the page",
  removed: { servers: 1 },
  parts: ["connections"],
});
