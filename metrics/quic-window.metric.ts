import type { Metric } from "./metric.ts";

/** Of a page's QUIC connections the one that shows most: no smaller window lets out the bytes that were in flight at first (observe/quic-window.ts). */
export const metric: Metric = {
  name: "quicWindowBytes",
  title: "QUIC's initial congestion window, at least",
  unit: "B",
  of({ packets: { quicFlows = [] } }) {
    const seen = quicFlows.flatMap(({ server }) => server?.opened?.initialWindowAtLeastBytes ?? []);
    return seen.length ? Math.max(...seen) : null;
  },
};
