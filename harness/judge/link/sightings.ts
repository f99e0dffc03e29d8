import { max } from "simple-statistics";
import { median, quantile } from "../../statistics/quantile.ts";
import type { Seen } from "../load/load-row.ts";

/** What the packets of all loads show about a link. */
export interface SeenLink {
  link: string;
  loads: number;
  /** Median and maximum over each load's quickest handshake, milliseconds; null if no handshake was fully captured. */
  handshakeMs: { median: number; max: number } | null;
  /** Mean number of packets per load that full queues dropped. */
  queueDrops: number;
  /** Share of retransmitted TCP segments; null if all loads were over QUIC, which has no segments. */
  retransmittedPercent: number | null;
}

/** Compares two definitions of page load time: by how many percent the time to the load event exceeds the time to the last acknowledgment. */
export interface Agreement {
  loads: number;
  medianPercent: number;
  fromPercent: number;
  toPercent: number;
}

interface Sums {
  handshakesMs: number[];
  loads: number;
  drops: number;
  sent: number;
  again: number;
}

/** Aggregates what valid loads show. To save memory, it keeps only two numbers of each load. */
export class Sightings {
  readonly #links = new Map<string, Sums>();
  readonly #shares: number[] = [];

  add(link: string, { link: { down, up }, ...seen }: Seen): void {
    const sums = this.#links.get(link) ?? { handshakesMs: [], loads: 0, drops: 0, sent: 0, again: 0 };
    this.#links.set(link, sums);
    if (seen.handshakeMs !== null) sums.handshakesMs.push(seen.handshakeMs);
    sums.loads++;
    sums.drops += down.queueDroppedPackets + up.queueDroppedPackets;
    sums.sent += seen.sentSegments;
    sums.again += seen.retransmittedSegments;
    if (seen.longerByEventPercent !== null) this.#shares.push(seen.longerByEventPercent);
  }

  summary(): { links: SeenLink[]; agreement: Agreement | null } {
    const links = [...this.#links].map(
      ([link, { handshakesMs, loads, drops, sent, again }]): SeenLink => ({
        link,
        loads,
        handshakeMs: handshakesMs.length ? { median: median(handshakesMs), max: max(handshakesMs) } : null,
        queueDrops: drops / loads,
        retransmittedPercent: sent ? (100 * again) / sent : null,
      }),
    );
    return { links, agreement: this.#agreement() };
  }

  #agreement(): Agreement | null {
    const shares = this.#shares;
    if (shares.length === 0) return null;
    const at = (share: number) => quantile(shares, share);
    return { loads: shares.length, medianPercent: at(0.5), fromPercent: at(0.05), toPercent: at(0.95) };
  }
}
