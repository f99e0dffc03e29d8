import type { Metric } from "./metric.ts";

/** From navigation start until the largest image or block of text was on the screen (Largest Contentful Paint, W3C). */
export const metric: Metric = {
  name: "largestContentfulPaintMs",
  title: "largest contentful paint",
  unit: "ms",
  of: ({ paint }) => paint?.largestContentfulMs ?? null,
};
