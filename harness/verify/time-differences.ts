/** How much the page load times of a repeated chunk differ from the recorded ones. */
import { gonePackets } from "../../axes/gone.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import type { GoodLoad, LoadRecord } from "../../schema/records.ts";

export interface TimeDifferences {
  /** The greatest difference between page load times, in percent of the recorded one. */
  timesPercent: number;
  /** How many loads lost no packet in either execution, and how much their times differ at most, in round trips; without links of 0 ms RTT. */
  lossless: { loads: number; roundTrips: number };
}

/** All three lists are in the same order. @param planned the chunk's loads @param now the lines of the repetition */
export function timeDifferences(
  planned: readonly PlannedLoad[],
  recorded: readonly LoadRecord[],
  now: readonly LoadRecord[],
): TimeDifferences {
  const both = recorded.flatMap((before, i) => {
    const after = now[i];
    if (!before.ok || !after?.ok) return [];
    const differenceMs = Math.abs(after.pageLoadMs - before.pageLoadMs);
    const { rttMs } = planned[i]!.condition.settings.link;
    const lossless = rttMs > 0 && [before, after].every(lostNothing);
    return [{ percent: (100 * differenceMs) / before.pageLoadMs, roundTrips: differenceMs / rttMs, lossless }];
  });
  const lossless = both.filter((load) => load.lossless);
  return {
    timesPercent: Math.max(0, ...both.map(({ percent }) => percent)),
    lossless: { loads: lossless.length, roundTrips: Math.max(0, ...lossless.map(({ roundTrips }) => roundTrips)) },
  };
}

const lostNothing = ({ evidence }: GoodLoad): boolean => gonePackets(evidence) === 0;
