/** Evidence of each TCP connection from the captures at its server and at the client. */
import { median } from "simple-statistics";
import type { FlowEvidence, ReceiveWindow } from "../schema/evidence.ts";
import type { ServerObservation } from "../schema/observation.ts";
import { firstBurstBytes } from "../schema/settings.ts";
import { afterIdle } from "./after-idle.ts";
import { synsAgainMs, tlsHandshake, tlsHandshakeMs } from "./connection-opening.ts";
import { firstAcks } from "./delayed-acks.ts";
import { initialWindow } from "./initial-window.ts";
import { beyond, endOf, type Packet } from "./packet.ts";
import { isClearAnswer, offeredProtocols, serverHello, startsWithClearRequest } from "./tls-hello.ts";
import { windowGrowth } from "./window-growth.ts";

/** The packets of one connection, from its SYN on, with their direction. */
export interface Conversation {
  client: string;
  server: string;
  packets: { packet: Packet; fromClient: boolean }[];
}

/** One connection in a server's capture. Its ends are written like "198.18.0.10:40123" and "198.18.1.11:4432". */
export type ServerFlow = Omit<ServerObservation["flows"][number], "congestion">;

export interface ClientFlow extends Pick<FlowEvidence, "handshakeMs" | "receiveWindow" | "firstAcks" | "exchangesMs"> {
  client: string;
  server: string;
  /** Time from the first SYN to the first SYN/ACK, even if the SYN/ACK answers a retransmitted SYN. */
  answerMs: number | null;
  synsAgainMs: number[];
  tlsHandshakeMs: number | null;
  retransmittedSegments: number;
  turnMs: number | null;
  agreedOnEcn: boolean;
}

/** The connections whose SYN is among the packets, in the order of their SYNs. Other connections began before the load. */
export function conversations(packets: readonly Packet[]): readonly Conversation[] {
  const known = found.get(packets) ?? conversationsIn(packets);
  found.set(packets, known);
  return known;
}
/** Caches the conversations of each capture, because several kinds of evidence are computed from them. */
const found = new WeakMap<readonly Packet[], readonly Conversation[]>();

function conversationsIn(packets: readonly Packet[]): Conversation[] {
  const all: Conversation[] = [];
  const byEnds = new Map<string, Conversation>();
  for (const packet of packets) {
    const { source, destination, syn, acknowledgment } = packet;
    const key = `${source} ${destination}`;
    // A SYN/ACK does not open a conversation, because a server may retransmit a SYN/ACK for an earlier load's connection.
    const opens = syn && acknowledgment === 0;
    if (opens && !isRepeated(packet, byEnds.get(key)) && !byEnds.has(`${destination} ${source}`)) {
      const opened = { client: source, server: destination, packets: [] };
      all.push(opened);
      byEnds.set(key, opened);
    }
    const fromClient = byEnds.has(key);
    byEnds.get(fromClient ? key : `${destination} ${source}`)?.packets.push({ packet, fromClient });
  }
  return all;
}

/** A client may reuse the port of a connection that it has reset. The new SYN then has another sequence number. */
const isRepeated = ({ sequence }: Packet, known: Conversation | undefined): boolean =>
  known !== undefined && known.packets[0]?.packet.sequence === sequence;

/** How many data segments one side sent, and how many of them had no new data. */
function countSegments(segments: Packet[]): { sent: number; repeated: number } {
  let repeated = 0;
  let highest: number | null = null;
  for (const segment of segments) {
    if (highest !== null && beyond(endOf(segment), highest) <= 0) repeated++;
    else highest = endOf(segment);
  }
  return { sent: segments.length, repeated };
}

/** Finds the segment with which the client's stream begins: a ClientHello may take two segments, and the second may arrive first. */
function firstSegment(all: Conversation["packets"]): Packet | undefined {
  const [first, ...others] = all.flatMap(({ packet, fromClient }) =>
    fromClient && packet.payloadBytes > 0 ? [packet] : [],
  );
  return others.reduce(
    (begin, packet) => (begin && beyond(packet.sequence, begin.sequence) < 0 ? packet : begin),
    first,
  );
}

/** Median time until one side sends data after the other side's data. In the responding side's capture, this is its processing time. */
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

/** How many bytes of the server's stream the client has acknowledged when it ends the TLS handshake. */
function handshakeBytes(all: Conversation["packets"]): number | null {
  const handshake = tlsHandshake(all);
  return handshake && beyond(handshake.end.acknowledgment, handshake.answer.sequence);
}

/** @param paced returns whether the connection to a client has a congestion control that paces */
export function serverFlows(
  packets: readonly Packet[],
  paced: (client: string) => boolean = () => false,
): ServerFlow[] {
  return conversations(packets).map(({ client, server, packets: all }) => {
    const data = all
      .filter(({ packet, fromClient }) => !fromClient && packet.payloadBytes > 0)
      .map(({ packet }) => packet);
    const { sent, repeated } = countSegments(data);
    const first = data[0];
    const hello = serverHello(first?.payload);
    const offered = offeredProtocols(firstSegment(all)?.payload);
    const isClear = isClearAnswer(first?.payload);
    const restMs = isClear ? firstBurstToRestMs(all) : null;
    const idle = afterIdle(all);
    const acknowledged = all.find(
      ({ packet, fromClient }) =>
        fromClient && !packet.syn && first && beyond(packet.acknowledgment, first.sequence) > 0,
    )?.packet;
    return {
      client,
      server,
      tls: hello ? (hello.resumed ? "resumed" : "full") : isClear ? "none" : "unknown",
      hello,
      ...(offered && { offered }),
      sentSegments: sent,
      retransmittedSegments: repeated,
      firstFlightSegments: acknowledged
        ? data.filter(({ timeMs }) => timeMs < acknowledged.timeMs).length
        : data.length,
      handshakeBytes: handshakeBytes(all),
      initcwnd: initialWindow(all, paced(client)),
      windowGrowth: windowGrowth(all),
      ...(idle && { afterIdle: idle }),
      turnMs: turnMs(all, false),
      firstDataToLastAckMs: isClear ? firstDataToLastAckMs(all) : null,
      ...(restMs !== null && { firstBurstToRestMs: restMs }),
    };
  });
}

/** A SYN that asks for ECN has the flags ECE and CWR. A SYN/ACK that agrees has only ECE (RFC 3168, section 6.1.1). */
const [echoFlag, bothEcnFlags] = [1, 3];

export function clientFlows(packets: readonly Packet[]): ClientFlow[] {
  return conversations(packets).map(({ client, server, packets: all }) => {
    const of = (mine: boolean) => all.filter(({ fromClient }) => fromClient === mine).map(({ packet }) => packet);
    const [syns, answers] = [of(true), of(false)].map((side) => side.filter(({ syn }) => syn));
    const once = syns?.length === 1 && answers?.length === 1;
    return {
      client,
      server,
      receiveWindow: answers?.length ? windowOf(syns![0]!, of(true)) : null, // a retransmitted SYN has the same options
      firstAcks: firstAcks(all),
      agreedOnEcn: syns?.[0]?.ecnFlags === bothEcnFlags && answers?.[0]?.ecnFlags === echoFlag,
      handshakeMs: once ? answers[0]!.timeMs - syns[0]!.timeMs : null,
      answerMs: answers?.length ? answers[0]!.timeMs - syns![0]!.timeMs : null,
      synsAgainMs: synsAgainMs(all),
      tlsHandshakeMs: tlsHandshakeMs(all),
      retransmittedSegments: countSegments(of(true).filter(({ payloadBytes }) => payloadBytes > 0)).repeated,
      turnMs: turnMs(all, true),
      exchangesMs: exchangesMs(all),
    };
  });
}

/** At the server: time from the first data segment to the first segment after `firstBurstBytes`; null if a second request comes earlier. */
function firstBurstToRestMs(all: Conversation["packets"]): number | null {
  const start = all.findIndex(({ packet, fromClient }) => !fromClient && packet.payloadBytes > 0);
  const answer = all.slice(start);
  const next = answer.findIndex(({ packet, fromClient }) => fromClient && packet.payloadBytes > 0);
  const first = answer[0]!.packet;
  const rest = answer
    .slice(0, next < 0 ? undefined : next)
    .find(
      ({ packet, fromClient }) =>
        !fromClient && packet.payloadBytes > 0 && beyond(packet.sequence, first.sequence) >= firstBurstBytes,
    );
  return rest ? rest.packet.timeMs - first.timeMs : null;
}

/** At the server: time from the first data to the last new acknowledgment (CCR 2010, figure 4); null if not all data was acknowledged. */
function firstDataToLastAckMs(all: Conversation["packets"]): number | null {
  const start = all.find(({ packet, fromClient }) => !fromClient && packet.payloadBytes > 0)?.packet;
  if (!start) return null;
  let [sent, acknowledged, lastMs] = [start.sequence, start.sequence, start.timeMs];
  for (const { packet, fromClient } of all) {
    if (packet.syn || packet.reset) continue;
    if (!fromClient) sent = beyond(endOf(packet), sent) > 0 ? endOf(packet) : sent;
    else if (beyond(packet.acknowledgment, acknowledged) > 0)
      [acknowledged, lastMs] = [packet.acknowledgment, packet.timeMs];
  }
  return beyond(acknowledged, sent) >= 0 ? lastMs - start.timeMs : null;
}

/** At the client: for each unencrypted request, the time until the last new data before the next request. */
function exchangesMs(all: Conversation["packets"]): number[] {
  const took: number[] = [];
  let request: Packet | null = null;
  const received = new Set<number>();
  for (const { packet, fromClient } of all) {
    if (packet.payloadBytes === 0) continue;
    if (fromClient) {
      const isNew = request === null || beyond(packet.sequence, request.sequence) > 0;
      if (!isNew || !startsWithClearRequest(packet.payload)) continue;
      request = packet;
      took.push(0);
    } else if (request && !received.has(endOf(packet))) took[took.length - 1] = packet.timeMs - request.timeMs;
    if (!fromClient) received.add(endOf(packet));
  }
  return took;
}

/** The receive window that a client first announces. A SYN's window is never scaled, but all later windows are (RFC 7323). */
function windowOf(syn: Packet, sent: Packet[]): ReceiveWindow | null {
  const ack = sent.find((packet) => !packet.syn);
  if (!ack || syn.mssBytes === null) return null;
  const { window: synBytes, windowScale: scale, mssBytes } = syn;
  return { synBytes, ackBytes: ack.window << (scale ?? 0), mssBytes, scale };
}
