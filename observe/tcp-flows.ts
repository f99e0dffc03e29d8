/** TCP connections as two captures saw them: what each end can say, from packets alone. */
import { median } from "simple-statistics";
import type { FlowEvidence, ReceiveWindow } from "../schema/evidence.ts";
import type { ServerObservation } from "../schema/observation.ts";
import { firstAcks } from "./delayed-acks.ts";
import { initialWindow } from "./initial-window.ts";
import { beyond, endOf, type Packet } from "./packet.ts";
import {
  isClearAnswer,
  offeredProtocols,
  serverHello,
  startsWithApplicationData,
  startsWithClearRequest,
} from "./tls-hello.ts";
import { windowGrowth } from "./window-growth.ts";

/** The packets of one connection, from its SYN on, told apart by direction. */
export interface Conversation {
  client: string;
  server: string;
  packets: { packet: Packet; fromClient: boolean }[];
}

/** What a server's capture says of one connection, by its ends: "198.18.0.10:40123", "198.18.1.11:4432". */
export type ServerFlow = Omit<ServerObservation["flows"][number], "congestion">;

/** What the client's capture says of one connection. */
export interface ClientFlow extends Pick<FlowEvidence, "handshakeMs" | "receiveWindow" | "firstAcks" | "exchangesMs"> {
  client: string;
  server: string;
  /** From the first SYN to the first SYN/ACK, whichever SYN that answers. */
  answerMs: number | null;
  retransmittedSegments: number;
  turnMs: number | null;
}

/** Connections whose SYN is among the packets, in the order of their SYNs. Others began before. */
export function conversations(packets: readonly Packet[]): Conversation[] {
  const byEnds = new Map<string, Conversation>();
  for (const packet of packets) {
    const { source, destination, syn, acknowledgment } = packet;
    const key = `${source} ${destination}`;
    // A server answers the SYN of an earlier load's connection again, if what came after that was lost with its link.
    const opens = syn && acknowledgment === 0;
    if (opens && !byEnds.has(key) && !byEnds.has(`${destination} ${source}`))
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

/**
 * What a server has sent of its stream when the client has ended the handshake: its next words after its hello, or those that first
 * look like application data where it had to say hello twice. A request may be in the same segment.
 */
function handshakeBytes(all: Conversation["packets"]): number | null {
  const answer = all.find(({ packet, fromClient }) => !fromClient && packet.payloadBytes > 0)?.packet;
  const hello = serverHello(answer?.payload);
  const end = all.find(
    ({ packet: { payload, payloadBytes, acknowledgment }, fromClient }) =>
      fromClient &&
      payloadBytes > 0 &&
      beyond(acknowledgment, answer?.sequence ?? acknowledgment) > 0 &&
      (!hello?.retry || startsWithApplicationData(payload)),
  )?.packet;
  return answer && hello && end ? beyond(end.acknowledgment, answer.sequence) : null;
}

/** @param paced whether a client's connection has a congestion control that spreads what it sends over time */
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
    const asked = all.find(({ packet, fromClient }) => fromClient && packet.payloadBytes > 0)?.packet;
    const offered = offeredProtocols(asked?.payload);
    const acknowledged = all.find(
      ({ packet, fromClient }) =>
        fromClient && !packet.syn && first && beyond(packet.acknowledgment, first.sequence) > 0,
    )?.packet;
    return {
      client,
      server,
      tls: hello ? (hello.resumed ? "resumed" : "full") : isClearAnswer(first?.payload) ? "none" : "unknown",
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
      turnMs: turnMs(all, false),
      firstDataToLastAckMs: isClearAnswer(first?.payload) ? firstDataToLastAckMs(all) : null,
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
      receiveWindow: answers?.length ? windowOf(syns![0]!, of(true)) : null, // a SYN that is sent again says the same
      firstAcks: firstAcks(all),
      handshakeMs: once ? answers[0]!.timeMs - syns[0]!.timeMs : null,
      answerMs: answers?.length ? answers[0]!.timeMs - syns![0]!.timeMs : null,
      retransmittedSegments: countSegments(of(true).filter(({ payloadBytes }) => payloadBytes > 0)).repeated,
      turnMs: turnMs(all, true),
      exchangesMs: exchangesMs(all),
    };
  });
}

/**
 * At the server: T_ACK - T_Res1 of Dukkipati et al., CCR 2010, figure 4; null where the last ACK has not come: it was lost, and
 * what it was for not sent again yet.
 */
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

/** At the client: what each request in the clear took, to the last data that was new before the next. */
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

/** What a client first says it has room for. RFC 7323: the window of a SYN is never scaled, every other is. */
function windowOf(syn: Packet, sent: Packet[]): ReceiveWindow | null {
  const ack = sent.find((packet) => !packet.syn);
  if (!ack || syn.mssBytes === null) return null;
  const { window: synBytes, windowScale: scale, mssBytes } = syn;
  return { synBytes, ackBytes: ack.window << (scale ?? 0), mssBytes, scale };
}
