import type { Metric } from "./metric.ts";

/** The largest initial window of the QUIC connections. Each window is a lower bound from the bytes in flight (observe/quic-window.ts). */
export const metric: Metric = {
  name: "quicWindowBytes",
  title: "QUIC's initial congestion window, at least",
  unit: "B",
  of({ packets: { quicFlows = [] } }) {
    const seen = quicFlows.flatMap(({ server }) => server?.opened?.initialWindowAtLeastBytes ?? []);
    return seen.length ? Math.max(...seen) : null;
  },
};
