import type { PaintEvidence } from "../schema/evidence.ts";
import type { Metric } from "./metric.ts";

/**
 * Largest contentful paint as a user sees it: nothing is the largest before anything is there. Lines before 2026-11-26 have Chromium's
 * entry as it is, and Chromium counts the spaces between images as text.
 */
export const largestContentfulMs = ({ firstContentfulMs, largestContentfulMs: largestMs }: PaintEvidence): number =>
  Math.max(firstContentfulMs, largestMs);

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
    of: ({ paint }) => (paint ? largestContentfulMs(paint) : null),
  },
];
