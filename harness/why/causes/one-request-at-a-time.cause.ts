import { entryOf } from "../../../schema/registries.ts";
import type { Cause } from "../cause.ts";

/** Client `pipelining-6` removes this cause: it pipelines requests, and is otherwise the same as client `replay`. No browser pipelines. */
export const cause: Cause = {
  name: "one-request-at-a-time",
  title: "HTTP/1.1's limit of one request at a time on a connection",
  instead: "pipelined requests",
  removed: { client: "pipelining-6" },
  isIn: ({ protocol, client }, { protocols, clients }) =>
    entryOf(protocols, "protocols", protocol).alpn === "http/1.1" &&
    !entryOf(clients, "clients", client).replays?.pipelines,
  cannot({ client, keepAlive }) {
    if (client !== "replay")
      return `client ${client} sends one request at a time on a connection; client replay can pipeline`;
    return keepAlive === "off" ? "without keep-alive no connection has a second request" : null;
  },
  parts: ["waiting"],
};
