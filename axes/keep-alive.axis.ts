import type { ConnectionEvidence } from "../schema/evidence.ts";
import { entryOf } from "../schema/registries.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { usedAgain } from "./connections.axis.ts";
import { mostConnections } from "./expected.ts";
import { oneOf } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    keepAlive: "on" | "off";
  }
}

/**
 * RFC 9112, section 9.3. Confirmed by the client's requests. With keep-alive, some connections carry several requests. Without keep-alive, each
 * connection carries one request, and no more connections are in use at a time than the client usually opens.
 */
export const axis = defineAxis({
  name: "keepAlive",
  title: "whether the server keeps connections open after a response",
  example: "off",
  follows: "server",
  field: "keepAlive",
  value: oneOf(["on", "off"]),
  default: "on",
  unknownBefore: "the lab could close connections",
  label: (keepAlive) => (keepAlive === "on" ? "keep-alive" : "no keep-alive"),
  id: (keepAlive) => `keep-alive-${keepAlive}`,
  sets: (keepAlive) => (keepAlive === "on" ? {} : { server: { keepAlive: false } }),
  needs: (keepAlive) => (keepAlive === "on" ? null : "closes"),
  refuses(keepAlive, { protocol, client, handshake, view }, { protocols, clients }) {
    if (keepAlive === "on") return null;
    if (protocols[protocol]?.alpn !== "http/1.1")
      return `over ${protocol} all requests to a host share a connection; HTTP/1.1 is allowed`;
    if (handshake !== "full" || view === "repeat")
      return "an earlier visit would leave a TLS session for only one connection to each host; full handshakes and first views are allowed";
    return clients[client]?.replays
      ? `client ${client} sends further requests on its open connections, and does not replace a closed one; on is allowed`
      : null;
  },
  proves(keepAlive, all, { connections }, registries) {
    if (entryOf(registries.protocols, "protocols", all.protocol).alpn !== "http/1.1")
      return { notObservable: "all requests to a host share a connection" };
    if (connections.some(({ id }) => id === null))
      return { notObservable: "the client does not report which connection carried a request" };
    const limit = mostConnections(all, registries);
    const several = connections.filter(({ requests }) => requests.length > 1);
    const hosts = [...new Set(connections.map(({ host }) => host))];
    const mostAtOnce = Math.max(...hosts.map((host) => atOnce(connections.filter((one) => one.host === host))));
    if (keepAlive === "off")
      return verdictOf([
        ...several.flatMap(usedAgain),
        ...(mostAtOnce > limit ? [`${mostAtOnce} requests to a host at a time; at most ${limit} expected`] : []),
      ]);
    if (several.length) return "confirmed";
    return connections.length > limit * hosts.length
      ? { contradicts: [`each of ${connections.length} connections carried one request, and was not reused`] }
      : { notObservable: "no host has more requests than connections" };
  },
});

/** The largest number of requests to a host that were in progress at the same time. */
function atOnce(connections: readonly ConnectionEvidence[]): number {
  const spans = connections
    .flatMap(({ requests }) => requests)
    .map(({ startMs, sentMs = startMs, endMs }) => ({ fromMs: sentMs, toMs: endMs ?? Infinity }));
  const at = (ms: number) => spans.filter(({ fromMs, toMs }) => fromMs <= ms && toMs > ms).length;
  return Math.max(0, ...spans.map(({ fromMs }) => at(fromMs)));
}
