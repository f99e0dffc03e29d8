import type { PaintEvidence } from "../schema/evidence.ts";
import type { Metric } from "./metric.ts";

/**
 * The largest contentful paint, which a user cannot see before the first one. Records from before 2026-11-26 may have an earlier time, because
 * Chromium counts the spaces between images as text. Null if the paint may have come after recording ended, or if nothing on the page counts.
 */
export const largestContentfulMs = ({
  firstContentfulMs,
  largestContentfulMs: largestMs,
}: PaintEvidence): number | null => (largestMs === undefined ? null : Math.max(firstContentfulMs, largestMs));

/** Any edit of a page can shift a paint by this time: one frame at 60 Hz, plus 4 ms, because browsers report paint times in steps of 4 ms. */
const frameMs = 1000 / 60 + 4;

/** From navigation start to the first text or image on the screen (Paint Timing, W3C), and to the largest (Largest Contentful Paint, W3C). */
export const metric: Metric[] = [
  {
    name: "firstContentfulPaintMs",
    title: "first contentful paint",
    unit: "ms",
    compared: 4,
    gate: { name: "firstContentfulPaint", place: 2, comparedFromMs: frameMs },
    of: ({ paint }) => paint?.firstContentfulMs ?? null,
  },
  {
    name: "largestContentfulPaintMs",
    title: "largest contentful paint",
    unit: "ms",
    compared: 5,
    gate: { name: "largestContentfulPaint", place: 3, comparedFromMs: frameMs },
    of: ({ paint }) => (paint ? largestContentfulMs(paint) : null),
    atLeast: ({ paint, recordedUntil }) =>
      paint && paint.largestContentfulMs === undefined && recordedUntil === "limit" ? paint.firstContentfulMs : null,
  },
];
