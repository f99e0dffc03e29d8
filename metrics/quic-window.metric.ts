import type { Metric } from "./metric.ts";

/** The largest lower bound of a QUIC connection's initial window: a smaller one would not allow the bytes first in flight (observe/quic-window.ts). */
export const metric: Metric = {
  name: "quicWindowBytes",
  title: "QUIC's initial congestion window, at least",
  unit: "B",
  of({ packets: { quicFlows = [] } }) {
    const seen = quicFlows.flatMap(({ server }) => server?.opened?.initialWindowAtLeastBytes ?? []);
    return seen.length ? Math.max(...seen) : null;
  },
};
