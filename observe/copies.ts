import type { Sighting } from "../schema/observation.ts";

/** Counts copies made by the link: packets that arrived more often than they were sent. Two sent packets may be equal, such as two resets. */
export function copiesIn(sent: readonly Sighting[], arrived: readonly Sighting[]): number {
  const left = new Map<number, number>();
  for (const [, , mark] of sent) left.set(mark, (left.get(mark) ?? 0) + 1);
  let copies = 0;
  for (const [, , mark] of arrived) {
    const times = left.get(mark);
    if (times === undefined) continue; // sent before the link was set up
    if (times === 0) copies++;
    else left.set(mark, times - 1);
  }
  return copies;
}

/**
 * Removes copies made by the link: packets with the same mark as an earlier packet. Retransmissions have other marks, because their IP
 * identification or their timestamps differ. Resets are kept, because a connection may send equal resets.
 */
export function withoutCopies<P extends { mark: number; reset?: boolean }>(packets: readonly P[]): P[] {
  const known = new Set<number>();
  return packets.filter(({ mark, reset }) => reset || known.size < known.add(mark).size);
}
