/** Processor time and queue drops of a condition's loads, and what follows from them: whether packets met loss or a full queue. */
import type { Condition } from "../../schema/plan.ts";
import type { JudgedLoad } from "../judge/judged-loads.ts";

export interface Noted {
  /** CPU time of the lab's processes in each load; on a virtual clock, the drawn processing times. */
  processorMs: number[];
  /** For each load, the number of packets towards the client that a full queue dropped. */
  queueDrops: number[];
}

/** Passes the loads on unchanged, and notes these numbers for each condition. */
export function* noting(loads: Iterable<JudgedLoad>, noted: Map<string, Noted>): Generator<JudgedLoad> {
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

/**
 * By what packets meet: where none is lost and no queue overflows, only the network's and the processors' time is left.
 * @param queueDrops of the condition's loads; null where it is not known
 */
export function kindOf({ settings: { link } }: Condition, ...queueDrops: (number | null)[]): string {
  if (link.lossPercent > 0) return "random loss";
  if (queueDrops.some((drops) => drops !== null && drops > 0)) return "no loss, the queue overflows";
  return `no loss, no full queue, RTT ${link.rttMs} ms`;
}
