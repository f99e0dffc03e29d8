/** Compares what servers sent over TCP with what the client received and with the link's counters. */
import { mostUnusedSegments, usedFlows } from "../../../axes/flows.ts";
import type { Evidence } from "../../../schema/evidence.ts";
import { expect } from "../../../schema/expect.ts";
import { leastOnTheWire, sum } from "./requests.ts";

/** The bytes of Ethernet, IPv4 and TCP headers without options. No segment is shorter. */
export const leastFrameBytes = 54;

/** Checks whether servers sent enough segments for the bytes that the client received, and enough retransmissions for the lost packets. */
export function segmentProblems({
  connections,
  unanswered = [],
  link: { down },
  packets: { flows, path, largestFrameBytes },
}: Evidence): string[] {
  const used = flows.flatMap(({ host, server }) => (server ? [{ host, ...server }] : []));
  const sent = sum(used.map(({ sentSegments }) => sentSegments));
  const repeated = sum(used.map(({ retransmittedSegments }) => retransmittedSegments));
  const others = path.down.sentPackets.atMost - sent; // acknowledgments, SYN/ACK, FIN
  const gone = down.lostPackets + down.queueDroppedPackets + (down.damagedPackets ?? 0);
  const fresh = sent - repeated;
  const bytes = leastOnTheWire(connections);
  // Linux may retransmit several small segments as a larger one (tcp_retrans_try_collapse), but needs enough segments for all bytes.
  const superfluous = Math.max(0, fresh - Math.ceil(bytes / (largestFrameBytes - leastFrameBytes)));
  const collapsed = repeated === 0 ? 0 : superfluous;
  const ends = flows.map(({ host, clientPort }) => `${clientPort} to ${host}`);
  const hosts = [...new Set(connections.map(({ host }) => host))];
  return [
    ...hosts.flatMap((host) => {
      const bytes = leastOnTheWire(connections.filter((one) => one.host === host));
      const fresh = sum(
        used.filter((one) => one.host === host).map((one) => one.sentSegments - one.retransmittedSegments),
      );
      const mostBytes = fresh * (largestFrameBytes - leastFrameBytes);
      return expect(
        bytes <= mostBytes,
        `${host} sent ${bytes} bytes of responses, which do not fit into ${fresh} segments`,
      );
    }),
    ...expect(others >= 0, `servers sent ${sent} segments, but at most ${path.down.sentPackets.atMost} packets`),
    ...expect(
      repeated + collapsed >= gone - others,
      `${gone} packets were lost on the way down, but only ${repeated} segments were retransmitted`,
    ),
    ...hosts.flatMap((host) => {
      // A request without a response may have a connection of its own, which the client does not report.
      const open = unanswered.filter(({ url }) => new URL(url).hostname === host).length;
      const own = connections.filter((one) => one.host === host);
      if (own.some(({ id }) => id === null)) return []; // only the captures show how many connections the client used
      const connected = own.length + open;
      const toHost = usedFlows(flows).filter((one) => one.host === host);
      const fresh = toHost.map(({ server }) => server.sentSegments - server.retransmittedSegments);
      const spare = fresh.sort((a, b) => b - a).slice(connected);
      return spare.some((segments) => segments > mostUnusedSegments(toHost))
        ? [`the browser used ${connected} connections to ${host}, but data came over ${fresh.length}`]
        : [];
    }),
    ...used.flatMap(({ host, sentSegments, retransmittedSegments, firstFlightSegments, initcwnd }) =>
      expect(
        Math.max(retransmittedSegments, firstFlightSegments, initcwnd?.atLeast ?? 0) <= sentSegments,
        `${host} sent ${sentSegments} segments, but ${firstFlightSegments} in its first flight and ${retransmittedSegments} retransmissions`,
      ),
    ),
    ...expect(new Set(ends).size === ends.length, "two connections have the same endpoints"),
  ];
}
