/** Compares what servers sent over QUIC with what the client received and with the link's counters. */
import type { Evidence, QuicFlowEvidence } from "../../../schema/evidence.ts";
import { expect } from "../../../schema/expect.ts";
import { directions } from "../../../schema/link.ts";
import { tolerance } from "../../../schema/tolerances.ts";
import { leastOnTheWire, sum } from "./requests.ts";

/** The bytes of Ethernet, IPv4 and UDP headers. */
const headerBytes = 42;

export function datagramProblems({ connections, packets: { quicFlows = [], path } }: Evidence): string[] {
  const ends = quicFlows.map(({ host, clientPort }) => `${clientPort} to ${host}`);
  const ways = {
    down: sum(quicFlows.map(({ server }) => server?.sent.datagrams ?? 0)),
    up: sum(quicFlows.map(({ sent }) => sent.datagrams)),
  };
  return [
    ...[...new Set(connections.map(({ host }) => host))].flatMap((host) => {
      const bytes = leastOnTheWire(connections.filter((one) => one.host === host));
      const sent = sum(quicFlows.flatMap((flow) => (flow.host === host ? (flow.server?.sent.bytes ?? 0) : [])));
      return expect(bytes <= sent, `${host} sent ${bytes} bytes of responses, but only ${sent} bytes over QUIC`);
    }),
    ...directions.flatMap((direction) =>
      expect(
        ways[direction] <= path[direction].sentPackets.atMost,
        `${direction}: ${ways[direction]} datagrams, but at most ${path[direction].sentPackets.atMost} packets`,
      ),
    ),
    ...quicFlows.flatMap(flowProblems),
    ...expect(new Set(ends).size === ends.length, "two connections have the same endpoints"),
  ];
}

function flowProblems({ host, clientPort, sent, server }: QuicFlowEvidence): string[] {
  const fits = ({ datagrams, bytes }: QuicFlowEvidence["sent"]) =>
    bytes >= datagrams && bytes <= datagrams * (tolerance.frameBytes - headerBytes);
  const isWithin = (part: QuicFlowEvidence["sent"], whole: QuicFlowEvidence["sent"]) =>
    part.datagrams <= whole.datagrams && part.bytes <= whole.bytes;
  const holds = fits(sent) && (!server || (fits(server.sent) && isWithin(server.firstFlight, server.sent)));
  return expect(holds, `connection ${clientPort} to ${host}: its datagrams cannot have that many bytes`);
}
