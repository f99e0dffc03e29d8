import { sendingMs, type Transfer, type TransferModel } from "./model.ts";

/** C of the paper's Table 1, for random loss: the receiver acknowledges every packet (1.31) or every other one (0.93). */
const constantOf = (growth: number) => (growth < 2 ? 0.93 : 1.31);

/** MSS / RTT * C / sqrt(p): the long-term rate of Reno's congestion avoidance, without timeouts. */
export const mathisMbps = ({ segmentBytes, rttMs, lossPercent, growth }: Transfer): number =>
  ((segmentBytes * 8) / (rttMs * 1000)) * (constantOf(growth) / Math.sqrt(lossPercent / 100));

/** Transmission time at Mathis' rate, or at the bottleneck's rate if it is lower. Ignores slow start, which dominates short transfers. */
export const model: TransferModel = {
  name: "mathis",
  title: "Mathis' formula",
  source: "Mathis et al., The Macroscopic Behavior of the TCP Congestion Avoidance Algorithm, CCR 1997, equation (3)",
  transferMs: (transfer) =>
    transfer.lossPercent === 0 || transfer.rttMs === 0
      ? null
      : sendingMs({ bytes: transfer.bytes, downMbps: Math.min(transfer.downMbps, mathisMbps(transfer)) }),
};
