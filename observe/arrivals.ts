/** Arrival times of packets, by mark. A packet has the same mark (packet.ts) in the captures at both ends of the link. */
import type { Sighting } from "../schema/observation.ts";
import { microseconds } from "./packet.ts";

export class Arrivals {
  readonly #byMark = new Map<number, number[]>();

  constructor(sightings: readonly Sighting[]) {
    for (const [timeMs, , mark] of sightings) {
      const times = this.#byMark.get(mark) ?? [];
      times.push(microseconds(timeMs));
      this.#byMark.set(mark, times);
    }
  }

  /** Removes and returns the first arrival of a mark since `sentUs`, so equal packets get different arrivals; null if none is left. */
  take(mark: number, sentUs: number): number | null {
    const times = this.#byMark.get(mark) ?? [];
    const i = times.findIndex((timeUs) => timeUs >= sentUs);
    return i < 0 ? null : times.splice(i, 1)[0]!;
  }
}
