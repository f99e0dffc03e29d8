import { defineChange } from "../change.ts";

export const change = defineChange({
  name: "one-host",
  title: "all files from the page's own host",
  changesOf: ({ now }) =>
    now.servers > 1
      ? [{ name: "one-host", title: "serve all files from the page's own host", values: { servers: 1 } }]
      : [],
});
