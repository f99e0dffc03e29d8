import type { LoadRecord } from "../../schema/model.ts";
import { tolerance } from "../../schema/tolerances.ts";

/** Random loss of one channel's direction over all its loads: far more packets than any calibration sends. */
export interface PooledLoss {
  channel: string;
  direction: "down" | "up";
  askedPercent: number;
  lostPackets: number;
  packets: number;
  measuredPercent: number;
  /** By how much an honest link may differ, percent points. */
  allowedPercent: number;
  honest: boolean;
}

export function pooledLoss(loads: readonly LoadRecord[]): PooledLoss[] {
  const channels = [...new Map(loads.map((load) => [load.channel, load.lossPercent]))].sort(([a], [b]) =>
    a.localeCompare(b, "en", { numeric: true }),
  );
  return channels.flatMap(([channel, askedPercent]) =>
    (["down", "up"] as const).map((direction) => {
      const counters = loads
        .filter((load) => load.channel === channel)
        .flatMap(({ evidence }) => evidence?.link?.[direction] ?? []);
      const sum = (of: (counter: (typeof counters)[number]) => number) =>
        counters.reduce((total, counter) => total + of(counter), 0);
      const lostPackets = sum((counter) => counter.lostPackets);
      // What is still in the link has survived the draw too: loss is drawn on entry.
      const packets =
        lostPackets +
        sum(({ sentPackets, queueDroppedPackets, queuedPackets }) => sentPackets + queueDroppedPackets + queuedPackets);
      const measuredPercent = (100 * lostPackets) / packets;
      const p = askedPercent / 100;
      const allowedPercent = 100 * tolerance.pooledLossDeviations * Math.sqrt((p * (1 - p)) / packets);
      return {
        channel,
        direction,
        askedPercent,
        lostPackets,
        packets,
        measuredPercent,
        allowedPercent,
        honest: Math.abs(measuredPercent - askedPercent) <= allowedPercent,
      };
    }),
  );
}
