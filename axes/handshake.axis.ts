import { entryOf } from "../schema/registries.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { givenUp, isOverQuic, usedFlows, usedQuicFlows } from "./flows.ts";
import { oneOf } from "./values.ts";

/**
 * A TLS 1.3 ticket is used only once (RFC 8446, appendix C.4). OpenSSL issues two, Go one, and Chromium keeps two for a host;
 * further connections to that host make full handshakes.
 */
const surelyKept = 1;

declare module "../schema/plan.ts" {
  interface AxisValues {
    handshake: "full" | "resumed";
  }
}

/**
 * Whether TLS resumes sessions of an earlier visit: the client has loaded the page before, but its connections are closed and its
 * cache is empty. Resumption saves certificates and signatures, but no round trip. Confirmed by each connection's ServerHello in
 * the server's capture: either no connection resumes a session, or at least one to each host does (with TLS 1.2 all).
 */
export const axis = defineAxis({
  name: "handshake",
  title: "whether TLS makes full handshakes, or resumes sessions of an earlier visit",
  example: "resumed",
  follows: "certificates",
  field: "handshake",
  value: oneOf(["full", "resumed"]),
  default: "full",
  label: (handshake) => `${handshake} handshakes`,
  id: (handshake) => handshake,
  sets: (handshake) => (handshake === "resumed" ? { server: { tls: { resumption: true } } } : {}),
  refuses(handshake, all, registries) {
    if (handshake === "full") return null;
    const drivenBy = registries.clients[all.client]?.drivenBy;
    if (drivenBy)
      return `${drivenBy} cannot empty the cache of client ${all.client} between two visits; full is allowed`;
    if (registries.clients[all.client]?.replays) return `client ${all.client} keeps no TLS session; full is allowed`;
    if (isOverQuic(all, registries))
      return `a client that resumes a session over ${all.protocol} sends early data (0-RTT), which is off here; full is allowed`;
    return registries.protocols[all.protocol]?.scheme === "http" ? "HTTP in the clear has no TLS" : null;
  },
  proves(handshake, { protocol, tls }, evidence, { protocols }) {
    const { flows, quicFlows } = evidence.packets;
    if (entryOf(protocols, "protocols", protocol).scheme === "http")
      return { notObservable: "HTTP in the clear has no TLS" };
    const used = usedFlows(flows);
    if (handshake === "full")
      return verdictOf(
        [...used, ...usedQuicFlows(quicFlows)].flatMap(({ name, host, server }) =>
          server.tls === "resumed" && givenUp(host, evidence) === 0 ? [`${name}: a resumed TLS session`] : [],
        ),
      );
    return verdictOf(
      [...new Set(used.map(({ host }) => host))].flatMap((host) => {
        const own = used.filter((flow) => flow.host === host);
        const resumed = own.filter(({ server }) => server.tls === "resumed").length;
        const least = tls === "1.2" ? own.length : Math.min(surelyKept, own.length);
        return resumed >= least
          ? []
          : [`${resumed} of ${own.length} connections to ${host} resumed a TLS session; at least ${least} expected`];
      }),
    );
  },
});
