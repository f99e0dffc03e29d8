/** Axes that random loss made inconclusive in some loads, judged over all loads. */
import { directions } from "../../../schema/link.ts";
import { tolerance } from "../../../schema/tolerances.ts";
import type { Seen } from "../load/load-row.ts";

/** Finds each axis that no load of a condition confirms. */
export class Inconclusive {
  /** Condition -> axis -> number of loads in which the axis was inconclusive. */
  readonly #inconclusive = new Map<string, Map<string, number>>();
  readonly #loads = new Map<string, number>();

  add(condition: string, axes: Iterable<string>): void {
    this.#loads.set(condition, (this.#loads.get(condition) ?? 0) + 1);
    for (const axis of axes) {
      const counts = this.#inconclusive.get(condition) ?? new Map<string, number>();
      this.#inconclusive.set(condition, counts.set(axis, (counts.get(axis) ?? 0) + 1));
    }
  }

  never(): { condition: string; axis: string; loads: number }[] {
    return [...this.#inconclusive].flatMap(([condition, counts]) => {
      const loads = this.#loads.get(condition)!;
      return [...counts].flatMap(([axis, count]) => (count === loads ? [{ condition, axis, loads }] : []));
    });
  }
}

/** An axis that was inconclusive in more loads than random loss explains. */
export interface TooOften {
  axis: string;
  hidden: number;
  /** The most loads that random loss explains. */
  allowed: number;
}

/** Packets of a handshake over TCP and TLS, in both directions together. */
const handshakePackets = 10;

/** Counts the loads in which an axis was inconclusive, and computes how many of them random loss can explain. */
export class HiddenPool {
  readonly #hidden = new Map<string, number>();
  #expected = 0;
  #variance = 0;
  /** Block -> the sum of its loads' standard deviations, because shared losses hide an axis in all loads of the block or in none. */
  readonly #shared = new Map<number, number>();

  /**
   * An axis is read from the handshake and the first flights of a connection, and is hidden if one of these packets is lost. The share of packets
   * that a load lost gives an upper bound of the probability that an axis is hidden.
   * @param block the load's block, if all loads of a block share their random losses; null otherwise
   * @param ownShare the lost share of the page's own segments, given if it may exceed the link's lost share. This is the case if background flows
   *   fill the queue, so that it drops more of the page's bursts, or if the link damages packets, because its counters do not show the damage.
   */
  add(axes: Iterable<string>, link: Seen["link"], initcwnd: number, block: number | null, ownShare = 0): void {
    const all = directions.map((direction) => link[direction]);
    const gone = all.reduce((sum, one) => sum + one.lostPackets + one.queueDroppedPackets, 0);
    const linkShare = gone / (gone + all.reduce((sum, { sentPackets }) => sum + sentPackets, 0));
    const share = Math.max(linkShare, ownShare);
    const chance = 1 - (1 - share) ** (handshakePackets + 2 * initcwnd);
    this.#expected += chance;
    const variance = chance * (1 - chance);
    if (block === null) this.#variance += variance;
    else this.#shared.set(block, (this.#shared.get(block) ?? 0) + Math.sqrt(variance));
    for (const axis of axes) this.#hidden.set(axis, (this.#hidden.get(axis) ?? 0) + 1);
  }

  tooOften(): TooOften[] {
    const variance = [...this.#shared.values()].reduce((sum, deviation) => sum + deviation ** 2, this.#variance);
    const allowed = this.#expected + tolerance.pooledLossDeviations * Math.sqrt(variance);
    return [...this.#hidden].flatMap(([axis, hidden]) => (hidden > allowed ? [{ axis, hidden, allowed }] : []));
  }
}
