/** A published formula for the duration of a transfer. Each is one file of this folder, `<name>.model.ts`, that exports `model`. */

/** One response over one new connection, from its first segment to the last acknowledgment. */
export interface Transfer {
  bytes: number;
  /** Payload of a full segment. */
  segmentBytes: number;
  rttMs: number;
  /** The bottleneck's rate towards the client. */
  downMbps: number;
  /** Random loss on the path. */
  lossPercent: number;
  /** Initial congestion window, segments. */
  initcwnd: number;
  /** Factor by which the window grows in a round trip of slow start: 2, or 1.5 with delayed ACKs. */
  growth: number;
}

export interface Model {
  name: string;
  title: string;
  /** The publication and the equation's number. */
  source: string;
  /** Null if the formula does not apply. */
  transferMs(transfer: Transfer): number | null;
}

/** Transmission time at the bottleneck's rate. */
export const sendingMs = ({ bytes, downMbps }: Pick<Transfer, "bytes" | "downMbps">): number =>
  (bytes * 8) / (downMbps * 1000);
