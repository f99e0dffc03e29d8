/** What a formula of the literature says a transfer takes. Each is one file of this folder, `<name>.model.ts`, that exports `model`. */

/** One response over one new connection, from its first segment to the last acknowledgment. */
export interface Transfer {
  bytes: number;
  /** What a full segment carries. */
  segmentBytes: number;
  rttMs: number;
  /** Of the bottleneck towards the client. */
  downMbps: number;
  /** Random loss on the way. */
  lossPercent: number;
  /** Initial congestion window, segments. */
  initcwnd: number;
  /** By what the window grows in a round trip of slow start: 2, or 1.5 where acknowledgments are delayed. */
  growth: number;
}

export interface Model {
  name: string;
  title: string;
  /** Where the formula stands. */
  source: string;
  /** null where the formula does not hold. */
  transferMs(transfer: Transfer): number | null;
}

/** What the bytes take at the bottleneck's rate. */
export const sendingMs = ({ bytes, downMbps }: Pick<Transfer, "bytes" | "downMbps">): number =>
  (bytes * 8) / (downMbps * 1000);
