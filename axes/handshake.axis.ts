import type { Evidence } from "../schema/evidence.ts";
import type { Link } from "../schema/link.ts";
import type { ConditionValues } from "../schema/plan.ts";
import { entryOf } from "../schema/registries.ts";
import { tolerance } from "../schema/tolerances.ts";
import { defineAxis, hidden, type Verdict, verdictOf } from "./axis.ts";
import { givenUp, isOverQuic, type UsedQuicFlow, usedFlows, usedQuicFlows } from "./flows.ts";
import { linkOf, serialisationMs } from "./link-values.ts";
import { oneOf } from "./values.ts";

/** How many connections to a host surely resume a session. A TLS 1.3 ticket is used only once (RFC 8446, appendix C.4), and Go issues only one. */
const surelyKept = 1;

declare module "../schema/plan.ts" {
  interface AxisValues {
    handshake: "full" | "resumed" | "0-rtt";
  }
}

/**
 * After the earlier visit, the client's connections are closed and its cache is emptied. Resumption saves certificates and signatures, but no
 * round trip, unless the first requests are early data (0-RTT). Confirmed by each connection's ServerHello in the server's capture: either no
 * connection resumes a session, or at least one to each host does (with TLS 1.2 all do).
 */
export const axis = defineAxis({
  name: "handshake",
  title:
    "whether TLS makes full handshakes, resumes sessions of an earlier visit, or resumes them and sends early data (0-RTT)",
  example: "resumed",
  follows: "certificates",
  field: "handshake",
  value: oneOf(["full", "resumed", "0-rtt"]),
  default: "full",
  label: (handshake) => (handshake === "0-rtt" ? "0-RTT" : `${handshake} handshakes`),
  id: (handshake) => handshake,
  sets(handshake) {
    if (handshake === "full") return {};
    return { server: { tls: { resumption: true, ...(handshake === "0-rtt" && { earlyData: true }) } } };
  },
  needs: (handshake) => (handshake === "0-rtt" ? "earlyData" : null),
  refuses(handshake, all, registries) {
    if (handshake === "full") return null;
    const drivenBy = registries.clients[all.client]?.drivenBy;
    if (drivenBy)
      return `${drivenBy} cannot empty the cache of client ${all.client} between two visits; full is allowed`;
    if (registries.clients[all.client]?.replays) return `client ${all.client} keeps no TLS session; full is allowed`;
    if (registries.protocols[all.protocol]?.scheme === "http") return "HTTP in the clear has no TLS";
    return handshake === "0-rtt" && !isOverQuic(all, registries)
      ? `no server here accepts early data over TCP, which ${all.protocol} uses; full and resumed are allowed`
      : null;
  },
  proves(handshake, all, evidence, registries) {
    if (entryOf(registries.protocols, "protocols", all.protocol).scheme === "http")
      return { notObservable: "HTTP in the clear has no TLS" };
    const { flows, quicFlows } = evidence.packets;
    const quic = usedQuicFlows(quicFlows);
    const used = [...usedFlows(flows), ...quic];
    if (handshake === "full")
      return verdictOf(
        used.flatMap(({ name, host, server }) =>
          server.tls === "resumed" && givenUp(host, evidence) === 0 ? [`${name}: a resumed TLS session`] : [],
        ),
      );
    const problems = [...new Set((quic.length ? quic : used).map(({ host }) => host))].flatMap((host) => {
      const own = used.filter((flow) => flow.host === host);
      const resumed = own.filter(({ server }) => server.tls === "resumed").length;
      const least = all.tls === "1.2" ? own.length : Math.min(surelyKept, own.length);
      return resumed >= least
        ? []
        : [`${resumed} of ${own.length} connections to ${host} resumed a TLS session; at least ${least} expected`];
    });
    if (problems.length || handshake === "resumed") return verdictOf(problems);
    return provesEarlyData(quic, linkOf(all, registries), all, evidence);
  },
});

/** The acceptance of early data is encrypted. A first response in less than two round trips shows it: after a rejection, the response takes two. */
function provesEarlyData(quic: readonly UsedQuicFlow[], link: Link, all: ConditionValues, evidence: Evidence): Verdict {
  const hosts = [...new Set(quic.map(({ host }) => host))];
  const without = hosts.filter(
    (host) => !quic.some((flow) => flow.host === host && flow.server.longHeaders.zeroRtt > 0),
  );
  if (hosts.length === 0) return { contradicts: ["no connection over QUIC, so no early data (0-RTT)"] };
  if (without.length) return { contradicts: [`no packet of early data (0-RTT) to ${without.join(", ")}`] };
  const { connectStart = Number.NaN, responseStart = Number.NaN } = evidence.timing;
  const tookMs = responseStart - connectStart;
  if (tookMs < 2 * (link.rttMs - (link.jitterMs ?? 0)) - tolerance.earlyMs) return "confirmed";
  if (
    all.hostRtts === "recorded" ||
    all.thinkTime > 0 ||
    all.serverTimes !== "none" ||
    serialisationMs(link, "quic") > link.rttMs / 2
  )
    return { notObservable: "the first response took so long that its request may have been sent twice" };
  return hidden(evidence, `the first response came after ${tookMs} ms: the server may not have accepted early data`);
}
