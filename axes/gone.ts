import type { Evidence } from "../schema/evidence.ts";
import { type Direction, directions } from "../schema/link.ts";

/** Counts packets that were lost at random, dropped by a queue, or discarded for a wrong checksum. By default in both directions. */
export function gonePackets({ link }: Pick<Evidence, "link">, ...ways: readonly Direction[]): number {
  return (ways.length > 0 ? ways : directions).reduce((sum, way) => {
    const { lostPackets, queueDroppedPackets, damagedPackets = 0 } = link[way];
    return sum + lostPackets + queueDroppedPackets + damagedPackets;
  }, 0);
}
