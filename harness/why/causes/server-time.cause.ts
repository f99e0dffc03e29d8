import type { Cause } from "../cause.ts";

export const cause: Cause = {
  name: "server-time",
  title: "The time that servers take",
  instead: "servers that answer at once",
  removed: { thinkTime: 0, backEndTime: 0, serverTimes: "none" },
  parts: ["server"],
};
