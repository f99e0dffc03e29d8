import { sendingMs, type Transfer, type TransferModel } from "./model.ts";

/** Round trips of slow start if a window grows by fractions of a segment: log_γ(S (γ - 1) / initcwnd + 1), rounded up; S is the size in segments. */
export const slowStartRounds = ({ bytes, segmentBytes, initcwnd, growth }: Transfer): number => {
  const windows = bytes / segmentBytes / initcwnd;
  // The paper (below) requires S / initcwnd >= 1; a response that fits into the window takes one round trip.
  return windows <= 1 ? 1 : Math.ceil(logarithm(windows * (growth - 1) + 1, growth));
};

/** Rounded, because floating point would make log(8) / log(2) slightly more than 3. */
const logarithm = (value: number, base: number) => Number((Math.log(value) / Math.log(base)).toFixed(9));

/** Applies without loss, and with a sufficient receive window. */
export const model: TransferModel = {
  name: "slow-start",
  title: "slow start, eq. (1)",
  source: "Dukkipati et al., An Argument for Increasing TCP's Initial Congestion Window, CCR 2010, equation (1)",
  transferMs: (transfer) =>
    transfer.lossPercent > 0 ? null : slowStartRounds(transfer) * transfer.rttMs + sendingMs(transfer),
};
