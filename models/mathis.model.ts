import { type Model, sendingMs, type Transfer } from "./model.ts";

/** For random loss and a receiver that acknowledges every packet, or every other one (the paper's Table 1). */
const constantOf = (growth: number) => (growth < 2 ? 0.93 : 1.31);

/** Mb/s in the long run: MSS / RTT * C / sqrt(p); of Reno's congestion avoidance, without timeouts. */
export const mathisMbps = ({
  segmentBytes,
  rttMs,
  lossPercent,
  growth,
}: Pick<Transfer, "segmentBytes" | "rttMs" | "lossPercent" | "growth">): number =>
  ((segmentBytes * 8) / (rttMs * 1000)) * (constantOf(growth) / Math.sqrt(lossPercent / 100));

/** What the bytes take at that rate, or at the bottleneck's if that is less: slow start, which matters to what is short, is not in it. */
export const model: Model = {
  name: "mathis",
  title: "Mathis' formula",
  source: "Mathis et al., The Macroscopic Behavior of the TCP Congestion Avoidance Algorithm, CCR 1997, equation (3)",
  transferMs: (transfer) =>
    transfer.lossPercent === 0 || transfer.rttMs === 0
      ? null
      : sendingMs({ bytes: transfer.bytes, downMbps: Math.min(transfer.downMbps, mathisMbps(transfer)) }),
};
