import { defineCause } from "../cause.ts";

export const cause = defineCause({
  name: "server-time",
  title: "The time that servers take",
  instead: "servers that answer at once",
  removed: { thinkTime: 0, backEndTime: 0, serverTimes: "none" },
  parts: ["server"],
});
