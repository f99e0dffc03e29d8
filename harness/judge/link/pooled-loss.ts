import { burstSpread, type Direction, directions, type Link, lossPercentOf } from "../../../schema/link.ts";
import { tolerance } from "../../../schema/tolerances.ts";
import type { Seen } from "../load/load-row.ts";
import { SharedDraws } from "./shared-draws.ts";

/** Random loss in one direction of a link, pooled over all loads on this link. Together, the loads send far more packets than a calibration. */
export interface PooledLoss {
  link: string;
  direction: Direction;
  configuredPercent: number;
  lostPackets: number;
  packets: number;
  measuredPercent: number;
  /** How far the loss of a correct link may deviate by chance, in percentage points. */
  allowedPercent: number;
  withinTolerance: boolean;
}

type Configured = Pick<Link, "lossPercent" | "lossBurstPackets" | "lossIn">;

interface Sums {
  lost: number;
  draws: SharedDraws;
}

const noPackets = (): Sums => ({ lost: 0, draws: new SharedDraws() });

export class LossPool {
  readonly #sums = new Map<string, { configured: Configured } & Record<Direction, Sums>>();

  /** @param block the load's block, if all loads of a block on this link share their random losses; null otherwise */
  add(link: string, configured: Configured, counters: Seen["link"], block: number | null): void {
    const sums = this.#sums.get(link) ?? { configured, down: noPackets(), up: noPackets() };
    this.#sums.set(link, sums);
    for (const direction of directions) {
      const { sentPackets, lostPackets, queueDroppedPackets, queuedPackets } = counters[direction];
      sums[direction].lost += lostPackets;
      // netem draws whether to lose a packet when the packet enters the link, so packets that are still in the link were not lost.
      sums[direction].draws.add(lostPackets + sentPackets + queueDroppedPackets + queuedPackets, block);
    }
  }

  losses(): PooledLoss[] {
    const links = [...this.#sums].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
    return links.flatMap(([link, { configured, ...sums }]) =>
      directions.map((direction) => pooled(link, direction, configured, sums[direction])),
    );
  }
}

function pooled(link: string, direction: Direction, configured: Configured, { lost, draws }: Sums): PooledLoss {
  const { packets } = draws;
  const measuredPercent = (100 * lost) / packets;
  const configuredPercent = lossPercentOf(configured, direction);
  const allowedPercent = (100 * allowedPackets(configuredPercent / 100, draws, burstSpread(configured))) / packets;
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

/**
 * Returns by how many packets the number of lost packets may differ from its mean. With few draws its distribution is skewed, so the deviations
 * of a normal distribution are corrected by the third cumulant (Cornish and Fisher). Losses may come in bursts of geometric length, with a mean
 * of b = (spread^2 + 1) / 2 packets. Compared with single losses, the variance is then `spread`^2 times as large, and the third cumulant is
 * 6b^2 - 6b + 1 times as large.
 */
function allowedPackets(share: number, draws: SharedDraws, spread: number): number {
  if (share === 0) return 0;
  const variance = share * (1 - share) * spread ** 2 * draws.powerSum(2);
  const third = share * (1 - share) * ((3 * spread ** 4 - 1) / 2) * draws.powerSum(3);
  const deviations = tolerance.pooledLossDeviations;
  return deviations * Math.sqrt(variance) + ((deviations ** 2 - 1) / 6) * (third / variance);
}
