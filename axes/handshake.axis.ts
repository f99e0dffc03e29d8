import { entryOf } from "../schema/registries.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { isOverQuic, usedFlows, usedQuicFlows } from "./flows.ts";
import { oneOf } from "./values.ts";

/**
 * A ticket of TLS 1.3 is used once (RFC 8446, appendix C.4). OpenSSL issues two, Go one, and Chromium keeps two for a host, so
 * that further connections to it make full handshakes.
 */
const surelyKept = 1;

declare module "../schema/plan.ts" {
  interface AxisValues {
    handshake: "full" | "resumed";
  }
}

/**
 * Whether TLS resumes sessions of an earlier visit: the client has loaded the page before, its connections are closed, its cache
 * is empty. Resumption saves certificates and signatures, and no round trip. Confirmed by each connection's ServerHello in the
 * server's capture: no connection resumes a session, or one to each host does (with TLS 1.2 all).
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
    if (drivenBy) return `${drivenBy} empties no cache of client ${all.client} between two visits; full is allowed`;
    if (registries.clients[all.client]?.replays) return `client ${all.client} keeps no TLS session; full is allowed`;
    if (isOverQuic(all, registries))
      return `a client that resumes a session over ${all.protocol} sends early data (0-RTT), which is off here; full is allowed`;
    return registries.protocols[all.protocol]?.scheme === "http" ? "in the clear there is no TLS" : null;
  },
  proves(handshake, { protocol, tls }, { packets: { flows, quicFlows } }, { protocols }) {
    if (entryOf(protocols, "protocols", protocol).scheme === "http")
      return { notObservable: "in the clear there is no TLS" };
    const used = usedFlows(flows);
    if (handshake === "full")
      return verdictOf(
        [...used, ...usedQuicFlows(quicFlows)].flatMap(({ name, server }) =>
          server.tls === "resumed" ? [`${name}: a resumed TLS session`] : [],
        ),
      );
    return verdictOf(
      [...new Set(used.map(({ host }) => host))].flatMap((host) => {
        const own = used.filter((flow) => flow.host === host);
        const resumed = own.filter(({ server }) => server.tls === "resumed").length;
        const least = tls === "1.2" ? own.length : Math.min(surelyKept, own.length);
        return resumed >= least
          ? []
          : [`${resumed} of ${own.length} connections to ${host} resumed a TLS session; ${least} had one to resume`];
      }),
    );
  },
});
