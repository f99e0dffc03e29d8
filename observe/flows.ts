/** TCP connections as two captures saw them: what each end can say, from packets alone. */
import { median } from "simple-statistics";
import { initialWindow, type WindowBounds } from "./initial-window.ts";
import { beyond, endOf, type Packet } from "./packet.ts";
import { type HandshakeKind, handshakeKind, startsWithApplicationData } from "./tls.ts";

/** The packets of one connection, from its SYN on, told apart by direction. */
interface Conversation {
  client: string;
  server: string;
  packets: { packet: Packet; fromClient: boolean }[];
}

/** What a server's capture says of one connection. */
export interface ServerFlow {
  /** "198.18.0.10:40123", "198.18.1.11:4432" */
  client: string;
  server: string;
  tls: HandshakeKind;
  /** Data segments sent, and those of them that were sent before. */
  sentSegments: number;
  retransmittedSegments: number;
  /** Data segments sent before the client acknowledged any. */
  firstFlightSegments: number;
  /** What the segments in flight say of initcwnd; null where the handshake had trouble. */
  initcwnd: WindowBounds | null;
  /** From a request's last data segment to its answer's first, median, milliseconds: the server's processing. */
  turnMs: number | null;
}

/** What the client's capture says of one connection. */
export interface ClientFlow {
  client: string;
  server: string;
  /** From SYN to SYN/ACK, milliseconds; null when one was sent twice. */
  handshakeMs: number | null;
  retransmittedSegments: number;
  /** From an answer's last data segment to the next request's first, median, milliseconds: over HTTP/1.1, the browser's processing. */
  turnMs: number | null;
}

/** Connections whose SYN is among the packets, in the order of their SYNs. Others began before. */
function conversations(packets: readonly Packet[]): Conversation[] {
  const byEnds = new Map<string, Conversation>();
  for (const packet of packets) {
    const { source, destination, syn } = packet;
    const key = `${source} ${destination}`;
    if (syn && !byEnds.has(key) && !byEnds.has(`${destination} ${source}`))
      byEnds.set(key, { client: source, server: destination, packets: [] });
    const fromClient = byEnds.has(key);
    byEnds.get(fromClient ? key : `${destination} ${source}`)?.packets.push({ packet, fromClient });
  }
  return [...byEnds.values()];
}

/** Which of one side's data segments carry nothing new. */
function countSegments(segments: Packet[]): { sent: number; repeated: number } {
  let repeated = 0;
  let highest: number | null = null;
  for (const segment of segments) {
    if (highest !== null && beyond(endOf(segment), highest) <= 0) repeated++;
    else highest = endOf(segment);
  }
  return { sent: segments.length, repeated };
}

/** What one side takes, median, to send data after the other has: at its own capture, the side's processing. */
function turnMs(all: Conversation["packets"], client: boolean): number | null {
  const data = all.filter(({ packet }) => packet.payloadBytes > 0);
  const turns = data.flatMap(({ packet, fromClient }, i) => {
    const before = data[i - 1];
    return fromClient === client && before && before.fromClient !== client
      ? [packet.timeMs - before.packet.timeMs]
      : [];
  });
  return turns.length ? median(turns) : null;
}

export function serverFlows(packets: readonly Packet[]): ServerFlow[] {
  return conversations(packets).map(({ client, server, packets: all }) => {
    const data = all
      .filter(({ packet, fromClient }) => !fromClient && packet.payloadBytes > 0)
      .map(({ packet }) => packet);
    const { sent, repeated } = countSegments(data);
    const first = data[0];
    const acknowledged = all.find(
      ({ packet, fromClient }) =>
        fromClient && !packet.syn && first && beyond(packet.acknowledgment, first.sequence) > 0,
    )?.packet;
    return {
      client,
      server,
      tls: handshakeKind(first?.payload),
      sentSegments: sent,
      retransmittedSegments: repeated,
      firstFlightSegments: acknowledged
        ? data.filter(({ timeMs }) => timeMs < acknowledged.timeMs).length
        : data.length,
      initcwnd: initialWindow(all),
      turnMs: turnMs(all, false),
    };
  });
}

export function clientFlows(packets: readonly Packet[]): ClientFlow[] {
  return conversations(packets).map(({ client, server, packets: all }) => {
    const of = (mine: boolean) => all.filter(({ fromClient }) => fromClient === mine).map(({ packet }) => packet);
    const [syns, answers] = [of(true), of(false)].map((side) => side.filter(({ syn }) => syn));
    const once = syns?.length === 1 && answers?.length === 1;
    return {
      client,
      server,
      handshakeMs: once ? answers[0]!.timeMs - syns[0]!.timeMs : null,
      retransmittedSegments: countSegments(of(true).filter(({ payloadBytes }) => payloadBytes > 0)).repeated,
      turnMs: turnMs(all, true),
    };
  });
}

/**
 * Page load time by packets, at the client: "the time difference between the first packet of the first HTTP request and
 * the final ACK of the last object fetched" (Al-Fares et al., IMC 2011, section 4.1.2). Over TLS the first request is the
 * first segment that begins with application data.
 * @returns milliseconds; null when there was no request, or no ACK yet
 */
export function requestToLastAckMs(packets: readonly Packet[]): number | null {
  let request: number | null = null;
  let lastAck: number | null = null;
  for (const { packets: all } of conversations(packets)) {
    let acknowledged: number | null = null;
    for (const { packet, fromClient } of all) {
      if (!fromClient) continue;
      const { timeMs, acknowledgment, syn, reset } = packet;
      if (startsWithApplicationData(packet.payload)) request = Math.min(request ?? timeMs, timeMs);
      if (syn || reset || (acknowledged !== null && beyond(acknowledgment, acknowledged) <= 0)) continue;
      acknowledged = acknowledgment;
      lastAck = Math.max(lastAck ?? timeMs, timeMs);
    }
  }
  return request === null || lastAck === null ? null : lastAck - request;
}
