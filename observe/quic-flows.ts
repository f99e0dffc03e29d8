/** QUIC connections as two captures saw them, from what is not encrypted of their packets. */
import type { HandshakeKind, QuicFlowEvidence, QuicServerFlow, ServerHello } from "../schema/evidence.ts";
import type { UdpPacket } from "./packet.ts";
import { firstCryptoBytes, openServerInitial, type QuicPackets, quicVersion1, readQuic } from "./quic-packet.ts";
import { quicServerHello } from "./tls-hello.ts";

/** A datagram to or from a port that QUIC is spoken on. */
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

/** A client's first datagrams leave at once: one that comes later, before any answer, repeats what was lost. */
const firstFlightMs = 20;
/** An acknowledgment alone is shorter, but for one of many gaps: what is at least as long brings something. */
const surelyDataBytes = 100;

/** Connections whose first Initial is among the datagrams, in the order of these. Others began before. */
export function quicConversations(datagrams: readonly QuicDatagram[]): Conversation[] {
  const byEnds = new Map<string, Conversation>();
  for (const datagram of datagrams) {
    const { packet, fromClient } = datagram;
    const [client, server] = fromClient ? [packet.source, packet.destination] : [packet.destination, packet.source];
    const quic = readQuic(packet.payload);
    const key = `${client} ${server}`;
    if (fromClient && !byEnds.has(key) && quic.long[0]?.type === "initial")
      byEnds.set(key, { client, server, datagrams: [] });
    byEnds.get(key)?.datagrams.push({ ...datagram, quic });
  }
  return [...byEnds.values()];
}

const sizeOf = (datagrams: Conversation["datagrams"]) => ({
  datagrams: datagrams.length,
  bytes: datagrams.reduce((sum, { packet }) => sum + packet.payloadBytes, 0),
});

/** What only who has the server's first flight can send. */
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

/** It is always TLS 1.3's (RFC 9001). */
function kindOf(hello: ServerHello | null): HandshakeKind {
  if (hello?.version !== "1.3") return "unknown";
  return hello.resumed ? "resumed" : "full";
}

/** The server's, which its Initials carry; the first that begins it tells. */
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

export type QuicClientFlow = Omit<QuicFlowEvidence, "host" | "clientPort" | "server"> & {
  client: string;
  server: string;
};

export const quicClientFlows = (datagrams: readonly QuicDatagram[]): QuicClientFlow[] =>
  quicConversations(datagrams).map(({ client, server, datagrams: all }) => {
    const startMs = all[0]!.packet.timeMs;
    const answer = all.findIndex(({ fromClient }) => !fromClient);
    const once = all.slice(0, answer).every(({ packet }) => packet.timeMs - startMs < firstFlightMs);
    return {
      client,
      server,
      version: all[0]!.quic.long[0]?.version ?? quicVersion1,
      handshakeMs: answer > 0 && once ? all[answer]!.packet.timeMs - startMs : null,
      sent: sizeOf(all.filter(({ fromClient }) => fromClient)),
    };
  });

/** One larger than all before it may be a probe of the path's MTU, which carries nothing (RFC 8899). */
const isLargest = (before: Conversation["datagrams"], bytes: number) =>
  !before.some(({ fromClient, packet }) => !fromClient && packet.payloadBytes >= bytes);

/**
 * Moments of a connection at the client, as of a TCP connection (flows.ts), as far as packets show them. The first request is in the
 * first datagram that begins with a short header, for a client has nothing else to say when its handshake is done. What a
 * datagram carries is encrypted: the last that is surely more than an acknowledgment is the last data at the earliest; the
 * connection's last, of either side, is at least as late as the last data.
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
