import type { ChangeKind } from "../change.ts";

export const change: ChangeKind = {
  name: "server-qdisc",
  title: "paced packets at the servers",
  changesOf: ({ now }) =>
    now.serverQdisc === "noqueue"
      ? [{ name: "server-qdisc-fq", title: "let servers pace packets (tc qdisc fq)", values: { serverQdisc: "fq" } }]
      : [],
};
