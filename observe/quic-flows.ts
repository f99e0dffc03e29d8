/** Evidence of each QUIC connection from the captures at its server and at the client. Most of it needs no keys. */
import type { HandshakeKind, QuicFlowEvidence, QuicServerFlow, ServerHello } from "../schema/evidence.ts";
import type { ObservedQuicFlow, SentDatagrams } from "../schema/observation.ts";
import type { ConnectionSecrets } from "./key-log.ts";
import {
  firstNumberOf,
  type QuicConversation,
  type QuicDatagram,
  quicConversations,
  serverHelloMessage,
} from "./quic-conversations.ts";
import { isPiece } from "./quic-frames.ts";
import { type OpenedPacket, openConversation } from "./quic-opened.ts";
import { type QuicPackets, quicVersion1 } from "./quic-packet.ts";
import { openedQuic } from "./quic-recovery.ts";
import { quicServerHello } from "./tls-hello.ts";

/** A client sends its first flight within this time; a later datagram before any response is a retransmission. */
const firstFlightMs = 20;
const sizeOf = (datagrams: QuicConversation["datagrams"]) => ({
  datagrams: datagrams.length,
  bytes: datagrams.reduce((sum, { packet }) => sum + packet.payloadBytes, 0),
});

/** Whether a client's packets show that it has received the server's first flight. */
const answers = ({ long, short }: QuicPackets) => short !== undefined || long.some(({ type }) => type === "handshake");

export const quicServerFlows = (datagrams: readonly QuicDatagram[], secrets: readonly ConnectionSecrets[] = []) =>
  quicConversations(datagrams).map((conversation): ObservedQuicFlow => {
    const { client, server, datagrams: all } = conversation;
    const opened = openConversation(conversation, secrets);
    const [up, down] = [true, false].map((mine) => all.filter(({ fromClient }) => fromClient === mine));
    const answered = up!.find(({ quic }) => answers(quic))?.packet.timeMs ?? Number.POSITIVE_INFINITY;
    const long = all.flatMap(({ quic }) => quic.long.map(({ type }) => type));
    const count = (type: string) => long.filter((one) => one === type).length;
    return {
      client,
      server,
      firstNumber: firstNumberOf(conversation),
      ...helloOf(conversation),
      sent: sizeOf(down!),
      firstFlight: sizeOf(down!.filter(({ packet }) => packet.timeMs < answered)),
      longHeaders: {
        initial: count("initial"),
        zeroRtt: count("zeroRtt"),
        handshake: count("handshake"),
        retry: count("retry"),
      },
      ...(opened && { opened: openedQuic(opened.packets, opened.unopened) }),
      outgoing: outgoingOf(conversation, opened?.packets ?? []),
    };
  });

function helloOf(conversation: QuicConversation): Pick<QuicServerFlow, "tls" | "hello"> {
  const message = serverHelloMessage(conversation);
  const hello = message && quicServerHello(message);
  return { tls: kindOf(hello), hello };
}

/** QUIC always uses TLS 1.3 (RFC 9001). */
function kindOf(hello: ServerHello | null): HandshakeKind {
  if (hello?.version !== "1.3") return "unknown";
  return hello.resumed ? "resumed" : "full";
}

function outgoingOf({ datagrams }: QuicConversation, packets: readonly OpenedPacket[]): SentDatagrams {
  return {
    sightings: datagrams.flatMap(({ fromClient, packet: { timeMs, frameBytes, mark } }): SentDatagrams["sightings"] =>
      fromClient ? [] : [[timeMs, frameBytes, mark]],
    ),
    pieces: packets.flatMap(({ fromClient, mark, frames }) =>
      frames.flatMap((frame): SentDatagrams["pieces"] =>
        !fromClient && isPiece(frame) ? [[mark, frame.id, frame.offset, frame.bytes, frame.fin]] : [],
      ),
    ),
  };
}

export interface QuicClientFlow extends Pick<QuicFlowEvidence, "version" | "handshakeMs" | "sent"> {
  client: string;
  server: string;
  /** Needed if the server's truncated frames lack the ServerHello, because quic-go puts the padding of a short flight first. */
  tls: HandshakeKind;
  hello: ServerHello | null;
  /** Time from the first datagram to the first response, even if this response answers a retransmitted datagram. */
  answerMs: number | null;
  firstNumber: number | null;
}

export const quicClientFlows = (datagrams: readonly QuicDatagram[]): QuicClientFlow[] =>
  quicConversations(datagrams).map((conversation) => {
    const { client, server, datagrams: all } = conversation;
    const startMs = all[0]!.packet.timeMs;
    const answer = all.findIndex(({ fromClient }) => !fromClient);
    const once = all.slice(0, answer).every(({ packet }) => packet.timeMs - startMs < firstFlightMs);
    const answerMs = answer > 0 ? all[answer]!.packet.timeMs - startMs : null;
    return {
      ...{ client, server, ...helloOf(conversation) },
      version: all[0]!.quic.long[0]?.version ?? quicVersion1,
      handshakeMs: once ? answerMs : null,
      answerMs,
      firstNumber: firstNumberOf(conversation),
      sent: sizeOf(all.filter(({ fromClient }) => fromClient)),
    };
  });
