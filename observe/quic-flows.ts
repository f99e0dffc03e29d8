/** What the packet captures at a server and at the client show of each QUIC connection, without its keys. */
import type { HandshakeKind, QuicFlowEvidence, QuicServerFlow, ServerHello } from "../schema/evidence.ts";
import type { UdpPacket } from "./packet.ts";
import { firstCryptoBytes, openServerInitial, type QuicPackets, quicVersion1, readQuic } from "./quic-packet.ts";
import { quicServerHello } from "./tls-hello.ts";

/** A datagram to or from a QUIC port. */
export interface QuicDatagram {
  packet: UdpPacket;
  fromClient: boolean;
}

interface Conversation {
  client: string;
  server: string;
  /** From the client's first Initial on. */
  datagrams: (QuicDatagram & { quic: QuicPackets })[];
}

/** A client sends its first flight within this time; a later datagram before any response is a retransmission. */
const firstFlightMs = 20;
/** A packet with only an acknowledgment is shorter, unless it reports many gaps. */
const surelyDataBytes = 100;

/** The connections whose first Initial is among the datagrams, in the order of these: others began before the load. */
export function quicConversations(datagrams: readonly QuicDatagram[]): Conversation[] {
  const byEnds = new Map<string, Conversation>();
  for (const datagram of datagrams) {
    const { packet, fromClient } = datagram;
    const [client, server] = fromClient ? [packet.source, packet.destination] : [packet.destination, packet.source];
    const quic = readQuic(packet.payload);
    const key = `${client} ${server}`;
    if (fromClient && !byEnds.has(key)) {
      const known =
        quic.long[0]?.type === "initial" ? { client, server, datagrams: [] } : movedTo(client, server, byEnds);
      if (known) byEnds.set(key, known);
    }
    byEnds.get(key)?.datagrams.push({ ...datagram, quic });
  }
  return [...new Set(byEnds.values())];
}

/**
 * The connection that goes on from another port of the client (RFC 9000, section 9): Chromium changes its port when packets are lost.
 * Its connection ID changes as well, to one that an encrypted frame announced; so this is the last connection between the same hosts.
 */
function movedTo(client: string, server: string, byEnds: ReadonlyMap<string, Conversation>): Conversation | undefined {
  const hostOf = (end: string) => end.slice(0, end.lastIndexOf(":"));
  return [...byEnds.values()].findLast((one) => one.server === server && hostOf(one.client) === hostOf(client));
}

const sizeOf = (datagrams: Conversation["datagrams"]) => ({
  datagrams: datagrams.length,
  bytes: datagrams.reduce((sum, { packet }) => sum + packet.payloadBytes, 0),
});

/** Whether only a client that has received the server's first flight can send this. */
const answers = ({ long, hasShort }: QuicPackets) => hasShort || long.some(({ type }) => type === "handshake");

export const quicServerFlows = (datagrams: readonly QuicDatagram[]) =>
  quicConversations(datagrams).map(
    ({ client, server, datagrams: all }): QuicServerFlow & { client: string; server: string } => {
      const [up, down] = [true, false].map((mine) => all.filter(({ fromClient }) => fromClient === mine));
      const answered = up!.find(({ quic }) => answers(quic))?.packet.timeMs ?? Number.POSITIVE_INFINITY;
      const long = all.flatMap(({ quic }) => quic.long.map(({ type }) => type));
      const hello = helloOf(all);
      const count = (type: string) => long.filter((one) => one === type).length;
      return {
        client,
        server,
        tls: kindOf(hello),
        hello,
        sent: sizeOf(down!),
        firstFlight: sizeOf(down!.filter(({ packet }) => packet.timeMs < answered)),
        longHeaders: {
          initial: count("initial"),
          zeroRtt: count("zeroRtt"),
          handshake: count("handshake"),
          retry: count("retry"),
        },
      };
    },
  );

/** QUIC always uses TLS 1.3 (RFC 9001). */
function kindOf(hello: ServerHello | null): HandshakeKind {
  if (hello?.version !== "1.3") return "unknown";
  return hello.resumed ? "resumed" : "full";
}

/** The ServerHello, from the first of the server's Initials that has its start. */
function helloOf(all: Conversation["datagrams"]): ServerHello | null {
  const firstId = all[0]?.quic.long[0]?.destinationId;
  for (const { fromClient, quic } of all) {
    const initial = !fromClient && quic.long.find(({ type }) => type === "initial");
    const opened = initial && firstId && openServerInitial(initial, firstId);
    const message = opened && firstCryptoBytes(opened);
    if (message) return quicServerHello(message);
  }
  return null;
}

export interface QuicClientFlow extends Pick<QuicFlowEvidence, "version" | "handshakeMs" | "sent"> {
  client: string;
  server: string;
  /** From the first datagram to the first response, even if that answers a repeated one. */
  answerMs: number | null;
}

export const quicClientFlows = (datagrams: readonly QuicDatagram[]): QuicClientFlow[] =>
  quicConversations(datagrams).map(({ client, server, datagrams: all }) => {
    const startMs = all[0]!.packet.timeMs;
    const answer = all.findIndex(({ fromClient }) => !fromClient);
    const once = all.slice(0, answer).every(({ packet }) => packet.timeMs - startMs < firstFlightMs);
    const answerMs = answer > 0 ? all[answer]!.packet.timeMs - startMs : null;
    return {
      client,
      server,
      version: all[0]!.quic.long[0]?.version ?? quicVersion1,
      handshakeMs: once ? answerMs : null,
      answerMs,
      sent: sizeOf(all.filter(({ fromClient }) => fromClient)),
    };
  });

/** A datagram larger than all before it may be a path MTU probe, which carries no data (RFC 8899). */
const isLargest = (before: Conversation["datagrams"], bytes: number) =>
  !before.some(({ fromClient, packet }) => !fromClient && packet.payloadBytes >= bytes);

/**
 * Moments of a connection at the client, as load-spans.ts has them of TCP. The first request is in the first packet with a short
 * header, which the client sends when its handshake is done. The content is encrypted: the last datagram that is longer than an
 * acknowledgment is a lower bound of the last data, and the connection's last datagram an upper bound.
 */
export const quicMoments = (datagrams: readonly QuicDatagram[]) =>
  quicConversations(datagrams).map(({ datagrams: all }) => {
    const asked = all.find(({ fromClient, quic }) => fromClient && quic.hasShort);
    const data = all.findLast(
      ({ fromClient, packet: { payloadBytes } }, i) =>
        !fromClient && payloadBytes >= surelyDataBytes && !isLargest(all.slice(0, i), payloadBytes),
    );
    return {
      synMs: all[0]!.packet.timeMs,
      requestMs: asked?.packet.timeMs ?? null,
      dataMs: data?.packet.timeMs ?? null,
      ackMs: all.at(-1)!.packet.timeMs,
    };
  });
