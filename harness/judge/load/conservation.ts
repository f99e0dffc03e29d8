/** Checks whether all packets and connections of a load, and no others, went through the shaper. */
import type { Evidence, LinkEvidence, PacketEvidence } from "../../../schema/evidence.ts";
import { directions } from "../../../schema/link.ts";
import { tolerance } from "../../../schema/tolerances.ts";

/** By how many standard deviations the number of copies may exceed its mean. */
const copiesDeviations = 7;

function mostCopies(sent: number, { atStart }: LinkEvidence["down"]): number {
  const share = (atStart.duplicatePercent ?? 0) / 100;
  return share === 0 ? 0 : Math.ceil(sent * share + copiesDeviations * (Math.sqrt(sent * share) + 1));
}

/** Reports packets that are not counted at both ends and in the shaper, packets larger than a frame, and foreign traffic. */
export function packetsGone(
  { path, largestFrameBytes, missedFrames, foreign }: PacketEvidence,
  link: LinkEvidence,
): string[] {
  const problems: string[] = [];
  for (const direction of directions) {
    const { sentPackets, shapedPackets, forwardedPackets, arrivedPackets, copies = 0 } = path[direction];
    const [sent, arrived] = [sentPackets, arrivedPackets].map(({ atLeast, atMost }) =>
      atLeast === atMost ? `${atLeast}` : `${atLeast} to ${atMost}`,
    );
    if (shapedPackets < sentPackets.atLeast)
      problems.push(
        `${direction}: ${sent} packets sent, ${shapedPackets} through the shaper: the others went around it, or were lost outside of it`,
      );
    if (shapedPackets < sentPackets.atLeast + copies)
      problems.push(`${direction}: ${copies} copies arrived, but only ${shapedPackets} packets were in the shaper`);
    if (shapedPackets > sentPackets.atMost + mostCopies(sentPackets.atMost, link[direction]))
      problems.push(`${direction}: ${shapedPackets} packets in the shaper, ${sent} sent`);
    if (forwardedPackets < arrivedPackets.atLeast || forwardedPackets > arrivedPackets.atMost)
      problems.push(`${direction}: ${forwardedPackets} packets left the shaper, ${arrived} arrived`);
  }
  if (largestFrameBytes > tolerance.frameBytes)
    problems.push(`a superpacket of ${largestFrameBytes} bytes: segmentation or receive offload (TSO, GSO, GRO) is on`);
  if (missedFrames > 0) problems.push(`captures missed ${missedFrames} frames`);
  if (foreign.length) problems.push(`foreign traffic: ${foreign.slice(0, 3).join("; ")}`);
  return problems;
}

/** Reports connections that the client used but that are not in the captures. Their packets bypassed the shaper. */
export function connectionsGone({ connections, packets: { flows, quicFlows = [] } }: Evidence): string[] {
  const count = (all: { host: string }[], host: string) => all.filter((one) => one.host === host).length;
  const all = [...flows, ...quicFlows];
  const captured = all.filter(({ server }) => server);
  return [...new Set(connections.map(({ host }) => host))]
    .filter((host) => count(captured, host) < count(connections, host))
    .map(
      (host) =>
        `the browser used ${count(connections, host)} connections to ${host}, the captures saw ${count(all, host)}`,
    );
}
