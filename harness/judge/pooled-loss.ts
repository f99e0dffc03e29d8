import { burstSpread, type Direction, directions, type Link, lossPercentOf } from "../../schema/link.ts";
import { tolerance } from "../../schema/tolerances.ts";
import type { Seen } from "./load-row.ts";

/** Random loss of one direction of a link over all its loads: far more packets than any calibration sends. */
export interface PooledLoss {
  link: string;
  direction: Direction;
  configuredPercent: number;
  lostPackets: number;
  packets: number;
  measuredPercent: number;
  /** By how much a correct link may differ by chance, percentage points. */
  allowedPercent: number;
  withinTolerance: boolean;
}

type Configured = Pick<Link, "lossPercent" | "lossBurstPackets" | "lossIn">;

/** Sums up what each link lost. */
export class LossPool {
  readonly #sums = new Map<string, { configured: Configured } & Record<Direction, { lost: number; packets: number }>>();

  add(link: string, configured: Configured, counters: Seen["link"]): void {
    const sums = this.#sums.get(link) ?? { configured, down: { lost: 0, packets: 0 }, up: { lost: 0, packets: 0 } };
    this.#sums.set(link, sums);
    for (const direction of directions) {
      const { sentPackets, lostPackets, queueDroppedPackets, queuedPackets } = counters[direction];
      sums[direction].lost += lostPackets;
      // Loss is drawn on entry, so that packets still in the link count as not lost.
      sums[direction].packets += lostPackets + sentPackets + queueDroppedPackets + queuedPackets;
    }
  }

  /** By link, in natural order. */
  losses(): PooledLoss[] {
    const links = [...this.#sums].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
    return links.flatMap(([link, { configured, ...sums }]) =>
      directions.map((direction) => pooled(link, direction, configured, sums[direction])),
    );
  }
}

function pooled(
  link: string,
  direction: Direction,
  configured: Configured,
  { lost, packets }: { lost: number; packets: number },
): PooledLoss {
  const measuredPercent = (100 * lost) / packets;
  const configuredPercent = lossPercentOf(configured, direction);
  const p = configuredPercent / 100;
  const deviation = Math.sqrt((p * (1 - p)) / packets) * burstSpread(configured);
  const allowedPercent = 100 * tolerance.pooledLossDeviations * deviation;
  const withinTolerance = Math.abs(measuredPercent - configuredPercent) <= allowedPercent;
  return {
    link,
    direction,
    configuredPercent,
    lostPackets: lost,
    packets,
    measuredPercent,
    allowedPercent,
    withinTolerance,
  };
}
