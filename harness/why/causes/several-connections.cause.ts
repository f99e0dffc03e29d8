import { mostConnections } from "../../../axes/expected.ts";
import { entryOf } from "../../../schema/registries.ts";
import type { Cause } from "../cause.ts";

/** Each connection has its own congestion window. A browser cannot be limited to one connection (connections.axis.ts). */
export const cause: Cause = {
  name: "several-connections",
  title: "HTTP/1.1's use of several connections",
  instead: "one connection to a host",
  removed: { connections: 1 },
  isIn: (all, registries) =>
    entryOf(registries.protocols, "protocols", all.protocol).alpn === "http/1.1" &&
    mostConnections(all, registries) > 1,
  parts: ["connections"],
};
