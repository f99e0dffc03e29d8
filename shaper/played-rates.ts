/** Computes the rates for a token bucket, so that a busy link carries as many bytes as its trace. */
import { fullFrameBytes, tracedBucketBytes } from "../schema/link.ts";
import type { RateStep } from "../schema/rate-trace.ts";

/**
 * How late a change may come, milliseconds. On the virtual clock, two reactions take up to 0.2 ms each; on the real clock, the processor may be
 * busy. A change must not come after the next step's first packet has left: the second packet would then wait as long as at the old rate.
 */
export const changedLateMs = { virtual: 0.5, real: 3 };
/** The most packets by which `lateMs` may lower what a step sends. So at high rates, the next step's first packet may leave before a late change. */
const mostOffPackets = 0.5;

/**
 * Each change of the rate fills the token bucket (tbf_change in Linux's net/sched/sch_tbf.c), so that a packet may leave at once. But a packet that
 * waits leaves no earlier than at the old rate, because a change does not wake the bucket (wake.ts wakes it after slow steps). Therefore each
 * step gets a whole number of full packets, and the first of them leaves when the step begins. The step's rate lets the next step's first
 * packet leave just after the change, whether another packet's entry wakes the bucket or not. Neighbouring steps that have no packet of their
 * own, such as an outage, become one step. The joined step still sends one packet, and the next step sends one less.
 */
export function playedRates(steps: readonly RateStep[], mostLateMs = changedLateMs.virtual): RateStep[] {
  const played: { ms: number; packets: number; isIdle: boolean }[] = [];
  let [dueBytes, sentPackets] = [0, 0];
  for (const [ms, mbps] of steps) {
    dueBytes += mbps * 125 * ms;
    const packets = Math.floor(dueBytes / fullFrameBytes) - sentPackets;
    const isIdle = packets < 1;
    const last = played.at(-1);
    if (isIdle && last?.isIdle) last.ms += ms;
    else {
      played.push({ ms, packets: Math.max(1, packets), isIdle });
      sentPackets += Math.max(1, packets);
    }
  }
  return played.map(({ ms, packets }): RateStep => {
    const lateMs = Math.min(mostLateMs, (mostOffPackets * ms) / packets);
    const mbps = (packets * fullFrameBytes) / (125 * ms);
    // After the change, the bucket has tokens for more than the first packet.
    const bytes = packets * fullFrameBytes - (tracedBucketBytes(mbps) - fullFrameBytes);
    return [ms, bitsPerSecond(bytes / (125 * (ms + lateMs)))];
  });
}

/** Rounds a rate to whole bits per second, because tc accepts no fractions. */
const bitsPerSecond = (mbps: number) => Math.round(mbps * 1e6) / 1e6;
