import { sendingMs, type Transfer, type TransferModel } from "./model.ts";

/**
 * Round trips of slow start, counted window by window, in whole segments: "Equation 1 rounds up a fractional increase
 * in congestion window per RTT which does not occur in practice" (the paper, 4.1).
 */
export function countedRounds({ bytes, segmentBytes, initcwnd, growth }: Transfer): number {
  let left = Math.ceil(bytes / segmentBytes);
  let [window, rounds] = [Math.max(1, Math.floor(initcwnd)), 0];
  while (left > 0) {
    left -= window;
    rounds++;
    // One ACK is sent for every 1 / (growth - 1) segments, and each ACK grows the window by one segment.
    window += Math.max(1, Math.floor(window * (growth - 1)));
  }
  return rounds;
}

export const model: TransferModel = {
  name: "slow-start-counted",
  title: "slow start, eq. (2), whole segments",
  source: "Dukkipati et al., An Argument for Increasing TCP's Initial Congestion Window, CCR 2010, equation (2)",
  transferMs: (transfer) =>
    transfer.lossPercent > 0 ? null : countedRounds(transfer) * transfer.rttMs + sendingMs(transfer),
};
