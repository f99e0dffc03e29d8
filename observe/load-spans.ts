/** Moments of a load among the client's packets, over TCP and QUIC. */
import type { PacketEvidence } from "../schema/evidence.ts";
import { beyond, endOf, type Packet } from "./packet.ts";
import { type QuicDatagram, quicMoments } from "./quic-flows.ts";
import { type Conversation, conversations } from "./tcp-flows.ts";
import { recordBytes, serverHello, startsWithApplicationData, startsWithClearRequest } from "./tls-hello.ts";

/** Between moments of a load that the client's packets show, milliseconds. */
export type LoadSpans = Pick<PacketEvidence, "synToRequestMs" | "requestToLastDataMs" | "requestToLastAckMs">;

/**
 * Page load time by packets, at the client: "the time difference between the first packet of the first HTTP request and
 * the final ACK of the last object fetched" (Al-Fares et al., IMC 2011, section 4.1.2), and what lies before it and ends
 * sooner. Over TLS a request begins with the first segment that begins with application data, in the clear with its
 * own word; a connection that has none is one that the browser opened and did not use.
 * @returns each null when there was no such moment
 */
export function loadSpans(packets: readonly Packet[], quic: readonly QuicDatagram[] = []): LoadSpans {
  const moments = [...conversations(packets).map(momentsOf), ...quicMoments(quic)];
  const syn = Math.min(...moments.flatMap(({ synMs }) => synMs ?? []));
  const request = Math.min(...moments.flatMap(({ requestMs }) => requestMs ?? []));
  const data = Math.max(...moments.flatMap(({ requestMs, dataMs }) => (requestMs === null ? [] : (dataMs ?? []))));
  const ack = Math.max(...moments.flatMap(({ ackMs }) => ackMs ?? []));
  const span = (fromMs: number, toMs: number) => (Number.isFinite(toMs - fromMs) ? toMs - fromMs : null);
  return {
    synToRequestMs: span(syn, request),
    requestToLastDataMs: span(request, data),
    requestToLastAckMs: span(request, ack),
  };
}

interface Moments {
  synMs: number | null;
  requestMs: number | null;
  dataMs: number | null;
  ackMs: number | null;
}

/** When a connection began, first asked, last received something new, and last acknowledged something new. */
function momentsOf({ packets }: Conversation): Moments {
  const isFinished = finishedOf(packets);
  const moments: Moments = { synMs: null, requestMs: null, dataMs: null, ackMs: null };
  let acknowledged: number | null = null;
  const received = new Set<number>();
  for (const { packet, fromClient } of packets) {
    const { timeMs, acknowledgment, payloadBytes, syn, reset } = packet;
    if (!fromClient) {
      // It may fill a hole that loss left, or repeat what came and is not acknowledged yet.
      const isNew = (acknowledged === null || beyond(endOf(packet), acknowledged) > 0) && !received.has(endOf(packet));
      if (payloadBytes > 0 && isNew) moments.dataMs = timeMs;
      if (payloadBytes > 0) received.add(endOf(packet));
      continue;
    }
    if (syn) moments.synMs ??= timeMs;
    // Before the server's hello it is the middle of a long hello of the client's, which may begin with any byte.
    const asksInTls = moments.dataMs !== null && startsWithApplicationData(packet.payload) && !isFinished(packet);
    if (asksInTls || startsWithClearRequest(packet.payload)) moments.requestMs ??= timeMs;
    if (syn || reset || (acknowledged !== null && beyond(acknowledgment, acknowledged) <= 0)) continue;
    acknowledged = acknowledgment;
    moments.ackMs = timeMs;
  }
  return moments;
}

/** Where the server asked for another key, the client's own end of the handshake is its first application data, in a segment of its own. */
function finishedOf(packets: Conversation["packets"]): (packet: Packet) => boolean {
  const hello = packets.find(({ packet, fromClient }) => !fromClient && packet.payloadBytes > 0)?.packet;
  if (!serverHello(hello?.payload)?.retry) return () => false;
  const first = packets.find(
    ({ packet, fromClient }) =>
      fromClient && startsWithApplicationData(packet.payload) && recordBytes(packet.payload) === packet.payloadBytes,
  )?.packet;
  return ({ sequence }) => sequence === first?.sequence;
}
