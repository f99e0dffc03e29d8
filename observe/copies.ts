import type { Sighting } from "../schema/observation.ts";

/** Counts a packet's arrivals beyond the number of times it was sent. Two sent packets may be equal, such as two resets of a connection. */
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
 * Leaves out copies that a link has made, that is, packets that are equal to an earlier one. Retransmissions differ in their IP identification
 * or their timestamps; only resets of a connection may be equal.
 */
export function withoutCopies<P extends { mark: number; reset?: boolean }>(packets: readonly P[]): P[] {
  const known = new Set<number>();
  return packets.filter(({ mark, reset }) => reset || known.size < known.add(mark).size);
}
