/** What captures, shaper and processor say, altered or left out. */

import type { GoodLoad } from "../../schema/records.ts";
import { connectionFaults } from "./connections.ts";
import { type Fault, onEvidence, onFlows } from "./fault.ts";
import type { InLab } from "./in-lab.ts";
import { linkFaults } from "./link.ts";

/** It runs outside of the lab (catch.ts): what runs inside is the lab's. */
export const cpuHog: InLab = { caughtBy: "evidence", lasts: true, apply: async () => {} };
/** A link that lost or dropped a packet may hide the end of a handshake. */
const onlyOverTls = {
  isVictim: ({ protocol, evidence: { link } }: GoodLoad) =>
    protocol === "h2" && [link.down, link.up].every((one) => one.lostPackets + one.queueDroppedPackets === 0),
};

const isLossy = (load: GoodLoad) => load.lossPercent === 1 && load.page === "A";

/** More packets were lost on their way down than were no data. */
function mustHaveRepeated({ evidence }: GoodLoad): boolean {
  const { link, packets } = evidence;
  const data = packets.flows.reduce((sum, { server }) => sum + (server?.sentSegments ?? 0), 0);
  return link.down.lostPackets + link.down.queueDroppedPackets > packets.path.down.sentPackets.atMost - data;
}

export const packets: Fault[] = [
  onFlows(
    "no handshake seen",
    (flow) => void (flow.handshakeMs = null),
    /no handshake was seen whole, and the link lost no packet/,
  ),
  onFlows(
    "no receive window seen",
    (flow) => void (flow.receiveWindow = null),
    /no handshake was seen whole, and the link lost no packet/,
  ),
  onFlows(
    "another receive window",
    (flow) => void (flow.receiveWindow!.synBytes = 29_200),
    /a receive window of 29200 bytes/,
  ),
  onFlows(
    "no initcwnd seen",
    ({ server }) => void (server!.initcwnd = null),
    /no connection's first flights reached the window, and the link lost no packet/,
  ),
  onFlows(
    "an initcwnd of which nothing is known",
    ({ server }) => void (server!.initcwnd = { atLeast: 0, atMost: null }),
    /no connection's first flights reached the window, and the link lost no packet/,
  ),
  onFlows(
    "an initcwnd that is larger",
    ({ server }) => void (server!.initcwnd = { atLeast: 16, atMost: 16 }),
    /initcwnd at least 1[06] instead of (3|10)/,
    { inLab: connectionFaults.initcwndNotApplied },
  ),
  onFlows(
    "no congestion control seen",
    ({ server }) => void (server!.congestion = null),
    /every connection had ended before its server was asked, and the link lost no packet/,
  ),
  onFlows(
    "another congestion control",
    ({ server }) => void (server!.congestion = "bbr"),
    /congestion control (bbr|reno) instead of cubic/,
    { inLab: connectionFaults.congestionDefault },
  ),
  onFlows(
    "servers that sent nothing",
    ({ server }) => void (server!.sentSegments = 0),
    /s1\.lab sent \d+ bytes of responses, which do not fit into 0 segments|sent 0 segments/,
  ),
  onFlows(
    "servers that sent half",
    ({ server }) => void (server!.sentSegments = Math.floor(server!.sentSegments / 2)),
    /s1\.lab sent \d+ bytes of responses, which do not fit into \d+ segments/,
  ),
  onFlows(
    "servers that sent twice as much",
    ({ server }) => void (server!.sentSegments *= 3),
    /servers sent \d+ segments, but at most \d+ packets/,
  ),
  onFlows("a resumed TLS session", ({ server }) => void (server!.tls = "resumed"), /a resumed TLS session/, {
    inLab: connectionFaults.resumedSession,
  }),
  onFlows(
    "an initcwnd that is smaller",
    ({ server }) => void (server!.initcwnd = { atLeast: 3, atMost: 3 }),
    /initcwnd at most [3-9] instead of 10/,
    { inLab: connectionFaults.initcwndTooSmall },
  ),
  onFlows(
    "the link of another condition",
    (flow) => void (flow.handshakeMs = 20.2),
    /the quickest handshake took [\d.]+ ms; the RTT is \d+/,
    { inLab: linkFaults.formerLink },
  ),
  onEvidence(
    "packets that go around the shaper",
    ({ packets: { path } }) => void (path.up.shapedPackets = 0),
    /packets sent, 0 through the shaper/,
    { inLab: linkFaults.aroundTheShaper },
  ),
  onEvidence(
    "packets lost behind the shaper",
    ({ packets: { path } }) => {
      const { atLeast, atMost } = path.down.arrivedPackets;
      path.down.arrivedPackets = { atLeast: atLeast - 9, atMost: atMost - 9 };
    },
    /down: \d+ packets left the shaper, \d+( to \d+)? arrived/,
  ),
  onEvidence(
    "a connection that captures do not know",
    ({ packets: { flows } }) => void flows.pop(),
    /the browser used \d+ connections to s\d\.lab, the captures saw \d/,
  ),
  onFlows(
    "a longer chain of certificates",
    ({ server }) => void (server!.handshakeBytes = 4010),
    /a handshake of 4010 bytes; ec2 has/,
    onlyOverTls,
  ),
  onFlows(
    "no end of the handshake",
    ({ server }) => void (server!.handshakeBytes = null),
    /connections? shows? no end of (their|its) handshake, and the link lost no packet/,
    onlyOverTls,
  ),
  onEvidence(
    "a link that was already another when the load began",
    ({ link: { down } }) => void (down.atStart.rateMbps = 20),
    /when the load began, the link had down rateMbps 20 instead of 10/,
  ),
  onEvidence(
    "another delay by tc",
    ({ link: { down } }) => void (down.atStart.delayMs = 90),
    /the link had down delayMs 90 instead of 50/,
  ),
  onEvidence(
    "jitter that was not requested",
    ({ link: { down } }) => void (down.atStart.jitterMs = 10),
    /the link had down jitterMs 10 instead of none/,
  ),
  onEvidence(
    "losses in bursts",
    ({ link: { down } }) => void (down.atStart.lossBurstPackets = 4),
    /the link had down lossBurstPackets 4 instead of none/,
  ),
  onEvidence(
    "a queue that is managed",
    ({ link: { down } }) => void (down.atStart.aqm = "fq_codel"),
    /the link had down aqm fq_codel instead of none/,
  ),
  onEvidence(
    "loss that was not requested",
    ({ link: { down } }) => void (down.atStart.lossPercent = 1),
    /the link had down lossPercent 1 instead of 0/,
  ),
  onEvidence(
    "a packet lost on a link that loses none",
    ({ link: { down } }) => void down.lostPackets++,
    /1 packets were lost on a link that loses none/,
  ),
  onEvidence(
    "another machine beside this one",
    ({ processor }) => void (processor.stealMs = processor.elapsedMs * 0.3),
    /steal\) took 0\.30 cores/,
  ),
  onEvidence("no connections captured", (evidence) => void (evidence.packets.flows = []), /the captures saw 0/),
  onEvidence(
    "a connection captured twice",
    ({ packets: { flows } }) => void (flows[1] = flows[0]!),
    /two connections have the same ends/,
  ),
  onFlows(
    "nothing sent again of what was lost",
    ({ server }) => {
      if (server) server.retransmittedSegments = 0;
    },
    /packets were lost on the way down, but only 0 segments were retransmitted/,
    { isVictim: mustHaveRepeated, notInSample: true },
  ),
  onEvidence(
    "losses that the counters leave out",
    ({ link }) => void (link.down.lostPackets = 0),
    /packets entered by the shaper's counters, \d+ by the path's/,
    { isVictim: (load) => isLossy(load) && load.evidence.link.down.lostPackets > 0, notInSample: true },
  ),
  onEvidence(
    "losses that counters and path leave out",
    ({ link: { down }, packets: { path } }) => {
      path.down.shapedPackets -= down.lostPackets;
      down.lostPackets = 0;
    },
    /through the shaper: the others went around it/,
    { isVictim: (load) => isLossy(load) && load.evidence.link.down.lostPackets > 5, notInSample: true },
  ),
  onEvidence(
    "no packet seen at both ends",
    ({ packets: { path } }) => void (path.down.transit = null),
    /its evidence lacks packets\.path\.down\.transit/,
  ),
  onEvidence(
    "no packets seen that waited for one another",
    ({ packets: { path } }) => void (path.down.transit!.backToBack = null),
    /down: no two packets were seen to leave the queue back to back/,
  ),
  onEvidence(
    "packets at another rate",
    ({ packets: { path } }) => void (path.down.transit!.backToBack!.ms /= 2),
    /at 20\.\d+ Mb\/s instead of 10|at 19\.\d+ Mb\/s instead of 10/,
  ),
  onEvidence(
    "a quicker packet",
    ({ packets: { path } }) => void (path.up.transit!.least.ms -= 5),
    /up: the quickest packet took/,
  ),
  onEvidence(
    "a packet that took longer than the queue",
    ({ packets: { path } }) => void (path.up.transit!.mostMs += 2000),
    /up: a packet took .* behind a full queue it takes/,
  ),
  onEvidence(
    "fewer packets seen at both ends than arrived",
    ({ packets: { path } }) => void (path.up.transit!.packets -= 20),
    /packets were seen at both ends/,
  ),
  onEvidence(
    "another rate by tc at the end",
    ({ link: { down } }) => void (down.atEnd!.rateMbps = 20),
    /when the load ended, the link had down rateMbps 20/,
  ),
  onEvidence(
    "another queue by tc at the beginning",
    ({ link: { up } }) => void (up.atStart.queuePackets = 1000),
    /when the load began, the link had up queuePackets 1000/,
  ),
  onEvidence(
    "nothing of what tc said at the beginning",
    ({ link: { up } }) => Object.assign(up, { atStart: null }),
    /link\.up\.atStart: Invalid input/,
    { notInSample: true },
  ),
  onEvidence(
    "bytes that so many packets cannot be",
    ({ link: { down } }) => void (down.sentBytes *= 10),
    /packets cannot be \d+ bytes/,
  ),
  onEvidence(
    "superpackets",
    (evidence) => void (evidence.packets.largestFrameBytes = 2962),
    /a superpacket of \d+ bytes/,
    { inLab: linkFaults.superpackets },
  ),
  onEvidence(
    "frames that a capture missed",
    (evidence) => void (evidence.packets.missedFrames = 4),
    /captures missed 4 frames/,
  ),
  onEvidence(
    "somebody else's packets",
    (evidence) => void (evidence.packets.foreign = ["EtherType 0x86dd"]),
    /foreign traffic: /,
    { inLab: linkFaults.foreignTraffic },
  ),
  onEvidence(
    "evidence that says it is of an earlier version",
    (evidence) => Object.assign(evidence, { version: 2 }),
    /evidence\.version: Invalid input/,
    { notInSample: true },
  ),
  onEvidence(
    "TCP that remembers",
    (evidence) => void (evidence.metricsSaved = ["server1"]),
    /TCP remembers earlier connections .* on server1/,
    { inLab: connectionFaults.metricsCache },
  ),
  onEvidence(
    "a part of the lab that ended",
    (evidence) => void (evidence.ended = ["nginx: worker process"]),
    /a part of the lab ended during the load/,
  ),
  onEvidence(
    "whether a part of the lab ended, left out",
    (evidence) => Object.assign(evidence, { ended: undefined }),
    /evidence\.ended: Invalid input/,
    { notInSample: true },
  ),
  onEvidence("a lab that used no processor", ({ processor }) => void (processor.labMs = 0), /the lab used no CPU time/),
  onFlows("ServerHellos left out", ({ server }) => void (server!.hello = null), /no ServerHello was seen/),
  onFlows(
    "another key exchange",
    ({ server }) => void (server!.hello!.group = 0x17),
    /key exchange secp256r1 instead of x25519, by its ServerHello/,
  ),
  onFlows(
    "another version of TLS",
    ({ server }) => void (server!.hello!.version = "1.2"),
    /TLS 1\.2 instead of 1\.3, by its ServerHello/,
  ),
  onEvidence(
    "what the client says of TLS, left out",
    ({ connections }) => {
      for (const connection of connections) delete connection.tls;
    },
    /the client does not report its TLS/,
  ),
  onEvidence(
    "the order of packets, left out",
    ({ packets: { path } }) => void delete path.down.transit!.reordered,
    /the order of its packets is missing/,
  ),
  onEvidence(
    "more processor than there is",
    ({ processor }) => void (processor.labMs = 99_999),
    /\d{5,6} ms of CPU time were used on \d+ cores/,
  ),
  onEvidence(
    "other programs beside it",
    ({ processor }) => void (processor.otherMs = processor.elapsedMs / 2),
    /other programs took \d\.\d+ cores from the load/,
    { inLab: cpuHog },
  ),
  onEvidence(
    "a machine with more cores",
    ({ processor }) => void (processor.cores += 64),
    /its processor has \d+ cores, its lane's/,
    { notInSample: true },
  ),
  onEvidence(
    "a run of packets too short to tell the rate",
    ({ packets: { path } }) => void (path.down.transit!.backToBack = { packets: 1e9, bytes: 1, ms: 0 }),
    /packets that waited for one another had 1 bytes/,
  ),
  onEvidence(
    "a slowest packet quicker than the quickest",
    ({ packets: { path } }) => void (path.down.transit!.mostMs = 0),
    /the slowest packet took 0 ms, the quickest/,
  ),
  onEvidence(
    "counts of packets so vague that none is missed",
    ({ packets: { path } }) => void (path.down.sentPackets = { atLeast: 0, atMost: 1e9 }),
    /a count of 0 to 1000000000 packets is too imprecise/,
  ),
  onEvidence(
    "one connection's handshake left out",
    ({ packets: { flows } }) => void (flows[0]!.handshakeMs = null),
    /1 handshakes were not seen whole, but the link lost only 0 packets/,
  ),
  onEvidence(
    "one connection's initcwnd left out",
    ({ packets: { flows } }) => void (flows[0]!.server!.initcwnd = null),
    /1 connections show no initcwnd or receive window, but the link lost no packet/,
  ),
  onEvidence(
    "no time of the last acknowledgment",
    ({ packets }) => void (packets.requestToLastAckMs = null),
    /its evidence lacks requestToLastAckMs/,
  ),
  onEvidence(
    "an acknowledgment long before its data",
    ({ packets }) => void (packets.requestToLastAckMs! /= 2),
    /its acknowledgment after/,
    { notInSample: true },
  ),
  onEvidence(
    "a server's name that begins as another's",
    ({ connections }) => void (connections[0]!.software = ["nginxlike/9"]),
    /s1\.lab has the server header nginxlike\/9 instead of nginx/,
  ),
];
