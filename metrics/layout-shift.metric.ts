import type { Metric } from "./metric.ts";

/**
 * Chromium ignores moves of less than 3 pixels (https://wicg.github.io/layout-instability/#sec-unstable-nodes), and the viewport is 800 pixels
 * wide (Puppeteer's default). So a move of 3 pixels scores up to this value, and a move of 2.9 pixels scores 0.
 */
const leastShift = 3 / 800;

/** Not in tables, because tables compare ratios, and most pages score 0. */
export const metric: Metric = {
  name: "cumulativeLayoutShift",
  title: "cumulative layout shift",
  unit: "",
  tables: false,
  gate: {
    ...{ name: "cumulativeLayoutShift", place: 4, example: "0.1" },
    ...{ comparedFrom: leastShift, recordedLater: true },
  },
  of: ({ cumulativeLayoutShift }) => cumulativeLayoutShift ?? null,
  atLeast: ({ cumulativeLayoutShift, recordedUntil }) =>
    cumulativeLayoutShift === undefined && recordedUntil === "limit" ? 0 : null,
};
