import type { Metric } from "./metric.ts";

/** From navigation start to the first text or image on the screen (Paint Timing, W3C). */
export const metric: Metric = {
  name: "firstContentfulPaintMs",
  title: "first contentful paint",
  unit: "ms",
  of: ({ paint }) => paint?.firstContentfulMs ?? null,
};
