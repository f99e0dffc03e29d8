/** How a lost packet was found, by what its sender knew when it sent it again. */
import type { TracedPacket } from "../../schema/trace.ts";
import type { Part } from "./parts.ts";

/** The kernel answers an acknowledgment within this; what comes later, a timer or a program did. */
export const atOnceUs = 500;

/** What one acknowledgment lets out leaves within this; the next acknowledgment is later on any link whose full packets take longer. */
export const sameBurstUs = 50;

/** Packets that arrived, to be looked up by when they did. */
export class Arrived<P extends TracedPacket> {
  readonly #inOrder: P[];

  constructor(packets: readonly P[]) {
    this.#inOrder = packets.filter(({ arrivedUs }) => arrivedUs !== null).sort((a, b) => a.arrivedUs! - b.arrivedUs!);
  }

  /** The last that had arrived at a moment. */
  lastAt = (atUs: number): P | undefined => lastUntil(atUs, this.#inOrder, ({ arrivedUs }) => arrivedUs!);
}

/** The last of some that are in the order of their moments whose moment has come: found by halving, for there are many. */
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
 * A probe repeats the end of what was sent; a retransmission timer that ran out has its side begin again from the first that
 * is missing. What is sent again without any timer's help, acknowledgments of later packets have asked for.
 * @param lost as it was first sent @param again the repetition that came
 * @param own all that its side sent @param answers what the other side sent and this one had
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

/** There is one probe; what repeats the same again is the retransmission timer's. */
const isSecond = (packet: TracedPacket, all: readonly TracedPacket[]) =>
  all.some(({ offset, sentUs }) => offset === packet.offset && sentUs < packet.sentUs);
