/** What the link's chance hid in some loads, judged over all of them. */
import { directions } from "../../schema/link.ts";
import { tolerance } from "../../schema/tolerances.ts";
import type { Seen } from "./load-row.ts";

/** Of an axis that some of a condition's loads could not confirm, whether another did. */
export class Inconclusive {
  /** Condition -> axis -> in how many of its loads it was inconclusive. */
  readonly #inconclusive = new Map<string, Map<string, number>>();
  readonly #loads = new Map<string, number>();

  add(condition: string, axes: Iterable<string>): void {
    this.#loads.set(condition, (this.#loads.get(condition) ?? 0) + 1);
    for (const axis of axes) {
      const counts = this.#inconclusive.get(condition) ?? new Map<string, number>();
      this.#inconclusive.set(condition, counts.set(axis, (counts.get(axis) ?? 0) + 1));
    }
  }

  /** The conditions of which no load confirms an axis. */
  never(): { condition: string; axis: string; loads: number }[] {
    return [...this.#inconclusive].flatMap(([condition, counts]) => {
      const loads = this.#loads.get(condition)!;
      return [...counts].flatMap(([axis, count]) => (count === loads ? [{ condition, axis, loads }] : []));
    });
  }
}

/** An axis that was hidden in more loads than chance hides it in. */
export interface TooOften {
  axis: string;
  hidden: number;
  /** By chance, no more than so many. */
  allowed: number;
}

/** Packets of a handshake over TCP and TLS, both ways. */
const handshakePackets = 10;

/** Sums up in how many loads an axis was hidden, and in how many it could have been. */
export class HiddenPool {
  readonly #hidden = new Map<string, number>();
  #expected = 0;
  #variance = 0;

  /**
   * What an axis is seen in, the handshake and the first flights of a connection, is hidden when one of their packets is
   * lost: with the share of packets that the load did lose, at most this probably.
   * @param axes that were inconclusive
   */
  add(axes: Iterable<string>, link: Seen["link"], initcwnd: number): void {
    const all = directions.map((direction) => link[direction]);
    const gone = all.reduce((sum, one) => sum + one.lostPackets + one.queueDroppedPackets, 0);
    const share = gone / (gone + all.reduce((sum, { sentPackets }) => sum + sentPackets, 0));
    const chance = 1 - (1 - share) ** (handshakePackets + 2 * initcwnd);
    this.#expected += chance;
    this.#variance += chance * (1 - chance);
    for (const axis of axes) this.#hidden.set(axis, (this.#hidden.get(axis) ?? 0) + 1);
  }

  tooOften(): TooOften[] {
    const allowed = this.#expected + tolerance.pooledLossDeviations * Math.sqrt(this.#variance);
    return [...this.#hidden].flatMap(([axis, hidden]) => (hidden > allowed ? [{ axis, hidden, allowed }] : []));
  }
}
