import type { Metric } from "./metric.ts";

/** From navigation start to the first text or image on the screen (Paint Timing, W3C), and to the largest one (Largest Contentful Paint, W3C). */
export const metric: Metric[] = [
  {
    name: "firstContentfulPaintMs",
    title: "first contentful paint",
    unit: "ms",
    of: ({ paint }) => paint?.firstContentfulMs ?? null,
  },
  {
    name: "largestContentfulPaintMs",
    title: "largest contentful paint",
    unit: "ms",
    of: ({ paint }) => paint?.largestContentfulMs ?? null,
  },
];
