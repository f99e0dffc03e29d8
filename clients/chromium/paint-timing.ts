import type { Page } from "puppeteer-core";
import type { PaintEvidence } from "../../schema/evidence.ts";
import { type MomentsFollower, tenths } from "./devtools-moments.ts";
import { ownWorld, unlessReplaced } from "./own-world.ts";

/**
 * Reads the paint timing after the load; null if nothing was painted or another page has replaced this one. There is no largest paint if a larger
 * one may follow (`isLast` is false), or if nothing counts as one (all is inline SVG). Chromium counts the spaces between images as text, so its
 * largest paint may be invisible and precede the first contentful paint (docs/records.md). The result's largest paint never precedes the first.
 */
export async function paintOf(page: Page, moments: MomentsFollower, isLast = true): Promise<PaintEvidence | null> {
  const found = await unlessReplaced(ownWorld(page).evaluate(read));
  if (!found) return null;
  const { originMs, firstMs, largestMs } = found;
  const byProtocol = await moments.paint?.(originMs);
  if (firstMs === null) return null;
  const firstContentfulMs = tenths(firstMs);
  const largest = byProtocol ? (byProtocol.largestMs ?? null) : largestMs;
  if (!isLast || largest === null)
    return {
      firstContentfulMs,
      ...(byProtocol && { byProtocol: { firstContentfulMs: byProtocol.firstContentfulMs } }),
    };
  return {
    firstContentfulMs,
    largestContentfulMs: Math.max(firstContentfulMs, tenths(largest)),
    ...(byProtocol && { byProtocol }),
  };
}

/** Paint times that the page reports, ms; null if there was no such paint. */
interface Found {
  originMs: number;
  firstMs: number | null;
  largestMs: number | null;
}

/**
 * The last changes are painted one frame after the load event and reported one frame later; images that are still being decoded are painted later.
 * So this waits for a paint about as large as the largest image in the window (nine tenths, because the browser rounds and crops). It waits for at
 * most 2 s: the image may be transparent or too plain to count, but a busy machine needs over 0.5 s. Only a PerformanceObserver gets the largest
 * paint. This runs in the page, so it must not contain named functions: tsx would add calls to a helper that the page lacks.
 */
const read = () =>
  new Promise<Found>((resolve) => {
    const found: Found = { originMs: performance.timeOrigin, firstMs: null, largestMs: null };
    setTimeout(() => resolve(found), 2000);
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        new PerformanceObserver((_, paints) => {
          const [first] = performance.getEntriesByName("first-contentful-paint");
          if (!first) return;
          paints.disconnect();
          found.firstMs = first.startTime;
          // Called on the prototype, because an element named "querySelectorAll" would hide the document's method, even in an isolated world.
          const areas = [...Document.prototype.querySelectorAll.call(document, "img")].map((image) => {
            const { complete, naturalWidth, naturalHeight } = image as HTMLImageElement;
            const { left, right, top, bottom, width, height } = image.getBoundingClientRect();
            const shownWidth = Math.min(right, innerWidth) - Math.max(left, 0);
            const shownHeight = Math.min(bottom, innerHeight) - Math.max(top, 0);
            const isBackground = shownWidth >= innerWidth && shownHeight >= innerHeight; // Chromium never counts it as the largest paint
            if (!complete || isBackground || shownWidth <= 0 || shownHeight <= 0 || !image.checkVisibility()) return 0;
            return shownWidth * shownHeight * Math.min(1, (naturalWidth * naturalHeight) / (width * height));
          });
          const awaitedArea = areas.reduce((a, b) => Math.max(a, b), 0) * 0.9;
          new PerformanceObserver((list) => {
            const last = list.getEntries().at(-1) as LargestContentfulPaint;
            found.largestMs = last.startTime;
            if (last.size >= awaitedArea) resolve(found);
          }).observe({ type: "largest-contentful-paint", buffered: true });
        }).observe({ type: "paint", buffered: true }),
      ),
    );
  });
