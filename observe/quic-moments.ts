/** When a QUIC connection's events happened at the client; load-spans.ts has the same events of TCP connections. */
import type { ConnectionSecrets } from "./key-log.ts";
import { type QuicConversation, type QuicDatagram, quicConversations } from "./quic-conversations.ts";
import type { PacketRange } from "./quic-frames.ts";
import { type OpenedPacket, openConversation } from "./quic-opened.ts";
import type { QuicPackets } from "./quic-packet.ts";
import { contains, merged } from "./ranges.ts";

/** A packet of at least this length has data. A packet with only an acknowledgment is shorter, unless it reports many gaps. */
export const surelyDataBytes = 100;

/** A datagram larger than all before it may be a path MTU probe, which carries no data (RFC 8899). */
const isLargest = (before: QuicConversation["datagrams"], bytes: number) =>
  !before.some(({ fromClient, packet }) => !fromClient && packet.payloadBytes >= bytes);

/** When the last datagram longer than an acknowledgment arrived: a lower bound for the time of the last data, for use without secrets. */
const lastLongMs = (all: QuicConversation["datagrams"]) =>
  all.findLast(
    ({ fromClient, packet: { payloadBytes } }, i) =>
      !fromClient && payloadBytes >= surelyDataBytes && !isLargest(all.slice(0, i), payloadBytes),
  )?.packet.timeMs ?? null;

/** When new bytes of a response last arrived. Repeated bytes do not count, because servers also retransmit data that is not lost. */
export function lastNewMs(packets: readonly OpenedPacket[]): number | null {
  const known = new Map<number, PacketRange[]>();
  let lastMs: number | null = null;
  for (const { fromClient, frames, timeMs } of packets)
    for (const frame of fromClient ? [] : frames) {
      if (frame.type !== "stream" || frame.id % 4 !== 0 || frame.bytes === 0) continue;
      const [from, to] = [frame.offset, frame.offset + frame.bytes];
      const before = known.get(frame.id) ?? [];
      if (!contains(before, [from, to])) lastMs = timeMs;
      known.set(frame.id, merged(before, [from, to]));
    }
  return lastMs;
}

/** A client sends requests when its handshake is done, or as early data (0-RTT). */
const carriesRequests = ({ long, short }: QuicPackets) =>
  short !== undefined || long.some(({ type }) => type === "zeroRtt");

/** `ackMs` is the time of the connection's last datagram, because no acknowledgment is later. */
export const quicMoments = (datagrams: readonly QuicDatagram[], secrets: readonly ConnectionSecrets[] = []) =>
  quicConversations(datagrams).map((conversation) => {
    const { datagrams: all } = conversation;
    const asked = all.find(({ fromClient, quic }) => fromClient && carriesRequests(quic));
    const opened = openConversation(conversation, secrets);
    return {
      synMs: all[0]!.packet.timeMs,
      requestMs: asked?.packet.timeMs ?? null,
      dataMs: opened ? lastNewMs(opened.packets) : lastLongMs(all),
      ackMs: all.at(-1)!.packet.timeMs,
    };
  });
