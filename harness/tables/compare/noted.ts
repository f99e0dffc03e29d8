/** CPU time of a condition's loads, and their queue drops, which show whether packets found a full queue. */
import type { Condition } from "../../../schema/plan.ts";
import type { JudgedLoad } from "../../judge/run/judged-loads.ts";

export interface Noted {
  /** CPU time of the lab's processes in each load; on the virtual clock, the random processing times. */
  processorMs: number[];
  /** For each load, the number of packets towards the client that a full queue dropped. */
  queueDrops: number[];
}

/** Yields the loads unchanged, and collects the numbers in `Noted` for each condition. */
export function* collectNotes(loads: Iterable<JudgedLoad>, noted: Map<string, Noted>): Generator<JudgedLoad> {
  for (const load of loads) {
    const own = noted.get(load.condition) ?? { processorMs: [], queueDrops: [] };
    noted.set(load.condition, own);
    if (load.ok && load.seen) {
      own.processorMs.push(load.seen.processorMs);
      own.queueDrops.push(load.seen.link.down.queueDroppedPackets);
    }
    yield load;
  }
}

/** Returns the condition's group. @param queueDrops each run's median of the packets that a full queue dropped; null if unknown */
export function kindOf({ settings: { link } }: Condition, ...queueDrops: (number | null)[]): string {
  if (link.lossPercent > 0) return "random loss";
  if (queueDrops.some((drops) => drops !== null && drops > 0)) return "no loss, the queue overflows";
  return `no loss, no full queue, RTT ${link.rttMs} ms`;
}
