/** Faults in the evidence of connections: values that captures show are altered or removed. */
import type { GoodLoad } from "../../schema/records.ts";
import { connectionFaults } from "./connections.ts";
import { type Fault, onEvidence, onFlows } from "./fault.ts";
import { linkFaults } from "./link.ts";

/** HTTP/2 loads without loss, because a lost or dropped packet may hide the end of a handshake. */
const onlyOverTls = {
  isVictim: ({ protocol, evidence: { link } }: GoodLoad) =>
    protocol === "h2" && [link.down, link.up].every((one) => one.lostPackets + one.queueDroppedPackets === 0),
};

/** Whether data must have been retransmitted, because the link lost more packets to the client than were sent without data. */
function mustHaveRepeated({ evidence }: GoodLoad): boolean {
  const { link, packets } = evidence;
  const data = packets.flows.reduce((sum, { server }) => sum + (server?.sentSegments ?? 0), 0);
  return link.down.lostPackets + link.down.queueDroppedPackets > packets.path.down.sentPackets.atMost - data;
}

export const flows: Fault[] = [
  onFlows(
    "no handshake captured",
    (flow) => void (flow.handshakeMs = null),
    /no handshake was fully captured, and the link lost no packet/,
  ),
  onFlows(
    "no receive window captured",
    (flow) => void (flow.receiveWindow = null),
    /no handshake was fully captured, and the link lost no packet/,
  ),
  onFlows(
    "a receive window that is not configured",
    (flow) => void (flow.receiveWindow!.synBytes = 29_200),
    /a receive window of 29200 bytes/,
  ),
  onFlows(
    "no initcwnd captured",
    ({ server }) => void (server!.initcwnd = null),
    /no connection's first flights reached the window, and the link lost no packet/,
  ),
  onFlows(
    "an initcwnd without bounds",
    ({ server }) => void (server!.initcwnd = { atLeast: 0, atMost: null }),
    /no connection's first flights reached the window, and the link lost no packet/,
  ),
  onFlows(
    "an initcwnd larger than configured",
    ({ server }) => void (server!.initcwnd = { atLeast: 16, atMost: 16 }),
    /initcwnd at least 1[06] instead of (3|10)/,
    { inLab: connectionFaults.initcwndNotApplied },
  ),
  onFlows(
    "no congestion control reported",
    ({ server }) => void (server!.congestion = null),
    /every connection had ended before its socket was read, and the link lost no packet/,
  ),
  onFlows(
    "a congestion control that is not configured",
    ({ server }) => void (server!.congestion = "bbr"),
    /congestion control (bbr|reno) instead of cubic/,
    { inLab: connectionFaults.congestionDefault },
  ),
  onFlows(
    "no segments sent by servers",
    ({ server }) => void (server!.sentSegments = 0),
    /s1\.lab sent \d+ bytes of responses, which do not fit into 0 segments|sent 0 segments/,
  ),
  onFlows(
    "only half of the segments that servers sent",
    ({ server }) => void (server!.sentSegments = Math.floor(server!.sentSegments / 2)),
    /s1\.lab sent \d+ bytes of responses, which do not fit into \d+ segments/,
  ),
  onFlows(
    "three times as many segments as servers sent",
    ({ server }) => void (server!.sentSegments *= 3),
    /servers sent \d+ segments, but at most \d+ packets/,
  ),
  onFlows("a resumed TLS session", ({ server }) => void (server!.tls = "resumed"), /a resumed TLS session/, {
    inLab: connectionFaults.resumedSession,
  }),
  onFlows(
    "an initcwnd smaller than configured",
    ({ server }) => void (server!.initcwnd = { atLeast: 3, atMost: 3 }),
    /initcwnd at most [3-9] instead of 10/,
    { inLab: connectionFaults.initcwndTooSmall },
  ),
  onFlows(
    "the link of an earlier condition",
    (flow) => void (flow.handshakeMs = 20.2),
    /the quickest (handshake took [\d.]+ ms; the RTT is|packet took [\d.]+ ms instead of) [\d.]+/, // a full queue may explain a late handshake
    { inLab: linkFaults.formerLink },
  ),
  onEvidence(
    "a connection missing in the captures",
    ({ packets: { flows } }) => void flows.pop(),
    /the browser used \d+ connections to s\d\.lab, the captures saw \d/,
  ),
  onFlows(
    "a longer certificate chain",
    ({ server }) => void (server!.handshakeBytes = 4010),
    /a handshake of 4010 bytes; ec2 has/,
    onlyOverTls,
  ),
  onFlows(
    "no end of the handshake captured",
    ({ server }) => void (server!.handshakeBytes = null),
    /connections? (does|do) not show the end of (their|its) handshake, and the link lost no packet/,
    onlyOverTls,
  ),
  onEvidence("no connections captured", (evidence) => void (evidence.packets.flows = []), /the captures saw 0/),
  onEvidence(
    "a connection captured twice",
    ({ packets: { flows } }) => void (flows[1] = flows[0]!),
    /two connections have the same endpoints/,
  ),
  onFlows(
    "no retransmission of lost packets",
    ({ server }) => {
      if (server) server.retransmittedSegments = 0;
    },
    /packets were lost on the way down, but only 0 segments were retransmitted/,
    { isVictim: mustHaveRepeated, notInSample: true },
  ),
  onEvidence(
    "TCP metrics of earlier connections",
    (evidence) => void (evidence.metricsSaved = ["server1"]),
    /TCP remembers earlier connections .* on server1/,
    { inLab: connectionFaults.metricsCache },
  ),
  onFlows("ServerHellos left out", ({ server }) => void (server!.hello = null), /no ServerHello was seen/),
  onFlows(
    "a key exchange that is not configured",
    ({ server }) => void (server!.hello!.group = 0x17),
    /key exchange secp256r1 instead of x25519, by its ServerHello/,
  ),
  onFlows(
    "a TLS version that is not configured",
    ({ server }) => void (server!.hello!.version = "1.2"),
    /TLS 1\.2 instead of 1\.3, by its ServerHello/,
  ),
  onEvidence(
    "the client's TLS details removed",
    ({ connections }) => {
      for (const connection of connections) delete connection.tls;
    },
    /the client does not report its TLS/,
  ),
  onEvidence(
    "one connection's handshake removed",
    ({ packets: { flows } }) => void (flows[0]!.handshakeMs = null),
    /1 handshakes were not fully captured, but the link lost only 0 packets/,
  ),
  onEvidence(
    "one connection's initcwnd removed",
    ({ packets: { flows } }) => void (flows[0]!.server!.initcwnd = null),
    /1 connections show no initcwnd or receive window, but the link lost no packet/,
  ),
  onEvidence(
    "a server name that starts with another server's name",
    ({ connections }) => void (connections[0]!.software = ["nginxlike/9"]),
    /s1\.lab has the server header nginxlike\/9 instead of nginx/,
  ),
];
