/** Groups a load's datagrams by connection. */
import type { UdpPacket } from "./packet.ts";
import { firstCryptoBytes, initialKeys, openPacket, type QuicPackets, readQuic } from "./quic-packet.ts";

/** A datagram to or from a QUIC port. */
export interface QuicDatagram {
  packet: UdpPacket;
  fromClient: boolean;
}

export interface QuicConversation {
  client: string;
  server: string;
  /** The connection's datagrams, from the client's first Initial on. */
  datagrams: (QuicDatagram & { quic: QuicPackets })[];
}

/** The connections whose first Initial is among the datagrams, in the order of these Initials. Other connections began before the load. */
export function quicConversations(datagrams: readonly QuicDatagram[]): readonly QuicConversation[] {
  const known = found.get(datagrams) ?? conversationsIn(datagrams);
  found.set(datagrams, known);
  return known;
}
/** Caches the conversations of each capture, because several kinds of evidence are computed from them. */
const found = new WeakMap<readonly QuicDatagram[], readonly QuicConversation[]>();

function conversationsIn(datagrams: readonly QuicDatagram[]): QuicConversation[] {
  const byEnds = new Map<string, QuicConversation>();
  for (const datagram of datagrams) {
    const { packet, fromClient } = datagram;
    const [client, server] = fromClient ? [packet.source, packet.destination] : [packet.destination, packet.source];
    const quic = readQuic(packet.payload, packet.payloadBytes);
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
 * Finds the connection that the client continues from another port (RFC 9000, section 9): Chromium changes its port when packets are lost.
 * The new connection ID was announced in an encrypted frame, so this returns the last connection between the same hosts.
 */
function movedTo(
  client: string,
  server: string,
  byEnds: ReadonlyMap<string, QuicConversation>,
): QuicConversation | undefined {
  const hostOf = (end: string) => end.slice(0, end.lastIndexOf(":"));
  return [...byEnds.values()].findLast((one) => one.server === server && hostOf(one.client) === hostOf(client));
}

/** The destination connection ID of the client's first Initial, or of the first Initial after a Retry, which changes this ID. */
export function firstIdOf({ datagrams }: QuicConversation): Buffer | undefined {
  const retried = datagrams.findIndex(({ quic }) => quic.long.some(({ type }) => type === "retry"));
  return datagrams.slice(retried + 1).find(({ fromClient, quic }) => fromClient && quic.long[0]?.type === "initial")
    ?.quic.long[0]?.destinationId;
}

/** The number of the client's first captured packet; null if unreadable. The server's capture has a larger number if the first packet was lost. */
export function firstNumberOf({ datagrams }: QuicConversation): number | null {
  const initial = datagrams[0]?.quic.long.find(({ type }) => type === "initial");
  return initial ? (openPacket(initial, initialKeys(initial.destinationId, "client"), -1)?.number ?? null) : null;
}

/** Finds the captured part of the ServerHello message, in the server's first Initial that contains the message's start. */
export function serverHelloMessage(conversation: QuicConversation): Buffer | null {
  const firstId = firstIdOf(conversation);
  if (!firstId) return null;
  const keys = initialKeys(firstId, "server");
  for (const { fromClient, quic } of conversation.datagrams) {
    const initial = !fromClient && quic.long.find(({ type }) => type === "initial");
    const message = initial && firstCryptoBytes(initial, keys);
    if (message) return message;
  }
  return null;
}
