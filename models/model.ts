/** A formula for the duration of a transfer or of a page load. Each model is a file `<name>.model.ts` in this folder that exports `model`. */
import type { QueueLimit } from "../schema/link.ts";
import type { Protocol } from "../schema/protocol.ts";

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

/** A request of a page load, and the body of its response. */
export interface ModelledRequest {
  host: string;
  path: string;
  bytes: number;
}

export interface PageLoad extends Omit<Transfer, "bytes"> {
  /** The protocol's name in servers/protocols.yml, its transport, and whether it is encrypted. */
  protocol: Pick<Protocol, "alpn" | "scheme" | "transport"> & { name: string };
  /** The document comes first. */
  requests: readonly ModelledRequest[];
  /** The maximum number of connections to a host; infinite if each request has a separate connection. */
  connectionsPerHost: number;
  /** The rate from the client. */
  upMbps: number;
  queue: { down: QueueLimit; up: QueueLimit };
  /** The client's initial receive window, segments. */
  initrwnd: number;
}

interface Described {
  name: string;
  title: string;
  /** The publication and the equation's number. */
  source: string;
}

export interface TransferModel extends Described {
  /** Null if the formula does not apply. */
  transferMs(transfer: Transfer): number | null;
}

export interface PageLoadModel extends Described {
  /** Null if the formula does not apply. */
  pageLoadMs(load: PageLoad): number | null;
}

export type Model = TransferModel | PageLoadModel;

export const isOfPageLoads = (model: Model): model is PageLoadModel => "pageLoadMs" in model;

export const sendingMs = ({ bytes, downMbps }: Pick<Transfer, "bytes" | "downMbps">): number =>
  (bytes * 8) / (downMbps * 1000);
