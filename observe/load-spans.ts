import type { PacketEvidence } from "../schema/evidence.ts";
import type { ConnectionSecrets } from "./key-log.ts";
import { beyond, endOf, type Packet } from "./packet.ts";
import type { QuicDatagram } from "./quic-conversations.ts";
import { quicMoments } from "./quic-moments.ts";
import { contains, merged, type Range } from "./ranges.ts";
import { type Conversation, conversations } from "./tcp-flows.ts";
import { recordBytes, serverHello, startsWithApplicationData, startsWithClearRequest } from "./tls-hello.ts";

export type LoadSpans = Pick<PacketEvidence, "synToRequestMs" | "requestToLastDataMs" | "requestToLastAckMs">;

/**
 * Measures page load time from the client's capture: "the time difference between the first packet of the first HTTP request and the final ACK
 * of the last object fetched" (Al-Fares et al., IMC 2011, section 4.1.2). Over TLS, the request is the first segment that starts with
 * application data; without TLS, the first segment that starts with a request line. Data and ACKs of a connection without a request are
 * ignored, because the browser did not use the connection.
 * @returns null for a span whose start or end is missing
 */
export function loadSpans(
  packets: readonly Packet[],
  quic: readonly QuicDatagram[] = [],
  secrets: readonly ConnectionSecrets[] = [],
): LoadSpans {
  const moments = [...conversations(packets).map(momentsOf), ...quicMoments(quic, secrets)];
  const syn = Math.min(...moments.flatMap(({ synMs }) => synMs ?? []));
  const request = Math.min(...moments.flatMap(({ requestMs }) => requestMs ?? []));
  const used = moments.filter(({ requestMs }) => requestMs !== null);
  const data = Math.max(...used.flatMap(({ dataMs }) => dataMs ?? []));
  const ack = Math.max(...used.flatMap(({ ackMs }) => ackMs ?? []));
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

/** When a connection sent its SYN, sent its first request, last received new data, and last acknowledged new data. */
function momentsOf({ packets }: Conversation): Moments {
  const isFinished = finishedOf(packets);
  const moments: Moments = { synMs: null, requestMs: null, dataMs: null, ackMs: null };
  let acknowledged: number | null = null;
  let isClosed = false; // whether the client closed the connection; the server's close_notify in response is not data of the page
  let received: Range[] = [];
  const first = packets.find(({ fromClient, packet }) => !fromClient && packet.payloadBytes > 0)?.packet.sequence ?? 0;
  for (const { packet, fromClient } of packets) {
    const { timeMs, acknowledgment, payloadBytes, syn, fin, reset } = packet;
    if (!fromClient) {
      if (payloadBytes === 0 || isClosed) continue;
      // A segment may fill a gap that a loss left, and also repeat bytes that arrived before.
      const bytes = [beyond(packet.sequence, first), beyond(endOf(packet), first)] as const;
      if (!contains(received, bytes)) moments.dataMs = timeMs;
      received = merged(received, bytes);
      continue;
    }
    if (syn) moments.synMs ??= timeMs;
    isClosed ||= fin;
    // A segment before the ServerHello may be from the middle of a long ClientHello, and start with any byte.
    const isTlsRequest = moments.dataMs !== null && startsWithApplicationData(packet.payload) && !isFinished(packet);
    if (isTlsRequest || startsWithClearRequest(packet.payload)) moments.requestMs ??= timeMs;
    if (syn || reset || (acknowledged !== null && beyond(acknowledgment, acknowledged) <= 0)) continue;
    acknowledged = acknowledgment;
    moments.ackMs = timeMs;
  }
  return moments;
}

/** Returns a function that recognizes the client's Finished after a HelloRetryRequest: the first application data that is alone in a segment. */
function finishedOf(packets: Conversation["packets"]): (packet: Packet) => boolean {
  const hello = packets.find(({ packet, fromClient }) => !fromClient && packet.payloadBytes > 0)?.packet;
  if (!serverHello(hello?.payload)?.retry) return () => false;
  const first = packets.find(
    ({ packet, fromClient }) =>
      fromClient && startsWithApplicationData(packet.payload) && recordBytes(packet.payload) === packet.payloadBytes,
  )?.packet;
  return ({ sequence }) => sequence === first?.sequence;
}
