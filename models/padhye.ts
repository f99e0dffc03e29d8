/** TCP's long-term rate under random loss if no receive window limits it, including time-outs, which take most of the time at high loss. */
import { leastTimeoutMs } from "../schema/linux.ts";
import type { Transfer } from "./model.ts";

/** Segments acknowledged by one ACK, if the receiver acknowledges every other segment. */
const delayed = 2;

/** Padhye et al., Modeling TCP Throughput, SIGCOMM 1998, equation (30). A time-out is assumed to last a round trip plus Linux's minimum. */
export function padhyeMbps({
  segmentBytes,
  rttMs,
  lossPercent,
}: Pick<Transfer, "segmentBytes" | "rttMs" | "lossPercent">): number {
  const p = lossPercent / 100;
  const byRoundTripsMs = rttMs * Math.sqrt((2 * delayed * p) / 3);
  const timeOuts = Math.min(1, 3 * Math.sqrt((3 * delayed * p) / 8));
  const byTimeOutsMs = (rttMs + leastTimeoutMs) * timeOuts * p * (1 + 32 * p ** 2);
  return (segmentBytes * 8) / ((byRoundTripsMs + byTimeOutsMs) * 1000);
}
