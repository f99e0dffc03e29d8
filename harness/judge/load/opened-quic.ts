/** Checks the values from decrypted QUIC packets: none exceeds what the server sent, and no acknowledgment took less than the link's RTT. */
import type { Evidence, QuicFlowEvidence } from "../../../schema/evidence.ts";
import { expect } from "../../../schema/expect.ts";
import { tolerance } from "../../../schema/tolerances.ts";

export const openedProblems = ({ packets: { quicFlows = [] } }: Evidence, rttMs: number): string[] =>
  quicFlows.flatMap((flow) => flowProblems(flow, rttMs));

function flowProblems({ host, clientPort, server }: QuicFlowEvidence, rttMs: number): string[] {
  if (!server?.opened) return [];
  const { sent, opened } = server;
  const { acknowledgedPackets, lostPackets, sentPackets, mostInFlightBytes, firstFlight, repeatedBytes } = opened;
  const atLeastBytes = opened.initialWindowAtLeastBytes ?? 0;
  const name = `connection ${clientPort} to ${host}`;
  const leastMs = opened.roundTripMs?.least ?? Number.POSITIVE_INFINITY;
  const told = acknowledgedPackets + lostPackets;
  return [
    ...expect(told <= sentPackets, `${name}: ${told} packets acknowledged or lost, but only ${sentPackets} sent`),
    ...expect(
      Math.max(mostInFlightBytes, repeatedBytes, firstFlight?.bytes ?? 0, atLeastBytes) <= sent.bytes,
      `${name}: more bytes in flight or retransmitted than the ${sent.bytes} that its server sent`,
    ),
    ...expect(
      (firstFlight?.bytes ?? 0) <= mostInFlightBytes && atLeastBytes <= mostInFlightBytes,
      `${name}: more bytes in its first flight or window than were ever in flight, ${mostInFlightBytes}`,
    ),
    ...expect(
      leastMs >= rttMs - tolerance.earlyMs && leastMs <= (opened.roundTripMs?.median ?? leastMs),
      `${name}: an acknowledgment after ${leastMs} ms; the RTT is ${rttMs} ms`,
    ),
  ];
}
