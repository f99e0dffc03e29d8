/** Finds how a packet's loss was detected, from what the sender knew when it retransmitted the data. */
import { atOnceMs } from "../../schema/linux.ts";
import type { TracedPacket } from "../../schema/trace.ts";
import type { Part } from "./parts.ts";

/** The kernel reacts to an acknowledgment within this time. What is sent later was caused by a timer or a program. */
export const atOnceUs = 1000 * atOnceMs.explained;

/** The packets that one acknowledgment releases leave within this time. The next acknowledgment comes later, unless the link is very fast. */
export const sameBurstUs = 50;

/** Packets that arrived, for lookup by arrival time. */
export class Arrived<P extends TracedPacket> {
  readonly #inOrder: P[];

  constructor(packets: readonly P[]) {
    this.#inOrder = packets.filter(({ arrivedUs }) => arrivedUs !== null).sort((a, b) => a.arrivedUs! - b.arrivedUs!);
  }

  lastAt = (atUs: number): P | undefined => lastUntil(atUs, this.#inOrder, ({ arrivedUs }) => arrivedUs!);
}

/** Finds the last item whose time is not after `nowUs`, by binary search. @param inOrder items in the order of their times */
export function lastUntil<T>(nowUs: number, inOrder: readonly T[], momentUs: (one: T) => number): T | undefined {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (momentUs(inOrder[middle]!) <= nowUs) low = middle + 1;
    else high = middle;
  }
  return inOrder[low - 1];
}

/**
 * A tail probe retransmits the last data that was sent. When the retransmission timer expires, the sender begins with the first missing
 * data. A retransmission without a timer is a fast retransmit, which acknowledgments of later packets cause.
 * @param again the retransmission that arrived @param own all packets of the side that lost a packet @param answers the other side's packets
 */
export function recoveryOf(
  lost: TracedPacket,
  again: TracedPacket,
  own: readonly TracedPacket[],
  answers: Arrived<TracedPacket>,
): Part {
  if (lost.syn) return "timeout";
  const byTimer = own.filter(
    ({ repeated, sentUs }) =>
      repeated &&
      sentUs > lost.sentUs &&
      sentUs <= again.sentUs &&
      sentUs - (answers.lastAt(sentUs)?.arrivedUs ?? -Infinity) > atOnceUs,
  );
  const endOf = ({ offset, bytes }: TracedPacket) => offset + bytes;
  const furthest = (beforeUs: number) =>
    own.reduce((end, packet) => (packet.sentUs < beforeUs ? Math.max(end, endOf(packet)) : end), 0);
  if (byTimer.some((packet) => endOf(packet) < furthest(packet.sentUs) || isSecond(packet, byTimer))) return "timeout";
  return byTimer.length ? "tail probe" : "fast retransmit";
}

/** Whether the data was retransmitted before. There is only one probe, so a second retransmission is due to the retransmission timer. */
const isSecond = (packet: TracedPacket, all: readonly TracedPacket[]) =>
  all.some(({ offset, sentUs }) => offset === packet.offset && sentUs < packet.sentUs);

/** QUIC's loss detection (RFC 9002, section 6): acknowledgments of later packets show a loss; without them, a probe timeout expires. */
export function quicRecoveryOf(lost: TracedPacket, again: TracedPacket, answers: Arrived<TracedPacket>): Part {
  const acknowledged = answers.lastAt(again.sentUs)?.acknowledged ?? 0;
  return acknowledged > lost.offset + lost.bytes ? "fast retransmit" : "tail probe";
}
