/** Titles and units of a capture's distributions. */

import type { CaptureStatistics } from "./capture-statistics.ts";
import type { Distribution } from "./distribution.ts";

type Counted = {
  [key in keyof CaptureStatistics]: CaptureStatistics[key] extends Distribution ? key : never;
}[keyof CaptureStatistics];

export interface TraceQuantity {
  /** The number of the paper's figure. */
  figure: number;
  id: Counted;
  title: string;
  unit: string;
  /** What the distribution counts: a plural noun for labels. */
  of: string;
  scale: "linear" | "log" | "symlog";
}

export const quantities: readonly TraceQuantity[] = [
  { figure: 3, id: "rttMs", title: "average RTT of a connection", unit: "ms", of: "connections", scale: "log" },
  {
    figure: 8,
    id: "connectionBytes",
    title: "bytes that a connection transfers",
    unit: "bytes",
    of: "connections",
    scale: "symlog",
  },
  { figure: 9, id: "durationMs", title: "duration of a connection", unit: "ms", of: "connections", scale: "log" },
  {
    figure: 10,
    id: "retransmittedPercent",
    title: "retransmitted segments",
    unit: "%",
    of: "connections",
    scale: "linear",
  },
  { figure: 11, id: "objectBytes", title: "size of an object", unit: "bytes", of: "objects", scale: "log" },
  {
    figure: 12,
    id: "requestsPerConnection",
    title: "requests per connection",
    unit: "",
    of: "connections",
    scale: "log",
  },
  { figure: 13, id: "betweenRequestsMs", title: "time between requests", unit: "ms", of: "requests", scale: "log" },
  {
    figure: 13,
    id: "beyondTimeoutMs",
    title: "time between requests, minus the RTO",
    unit: "ms",
    of: "requests",
    scale: "symlog",
  },
  {
    figure: 14,
    id: "bytesByObject",
    title: "size of the object that a byte belongs to",
    unit: "bytes",
    of: "bytes",
    scale: "log",
  },
];
