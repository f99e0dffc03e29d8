import type { Page } from "puppeteer-core";
import type { PaintEvidence } from "../../schema/evidence.ts";
import type { MomentsFollower } from "./devtools-moments.ts";
import { ownWorld, unlessReplaced } from "./own-world.ts";

/**
 * A page's paint timing, read after the load; null when it painted nothing, or has been replaced by another page. Chromium counts the
 * spaces between images as text, so that the largest of its paints may show nothing and come before the first (docs/records.md): the
 * largest that a user sees is no earlier than the first.
 */
export async function paintOf(page: Page, moments: MomentsFollower): Promise<PaintEvidence | null> {
  const found = await unlessReplaced(ownWorld(page).evaluate(read));
  if (!found) return null;
  const { originMs, firstMs, largestMs } = found;
  const byProtocol = await moments.paint?.(originMs);
  const largest = byProtocol?.largestMs ?? largestMs;
  if (firstMs === null || largest === null) return null;
  const firstContentfulMs = rounded(firstMs);
  return {
    firstContentfulMs,
    largestContentfulMs: Math.max(firstContentfulMs, rounded(largest)),
    ...(byProtocol && { byProtocol }),
  };
}

const rounded = (ms: number) => Math.round(ms * 10) / 10; // Chromium's resolution

/**
 * The last changes are painted a frame after the load event, and reported a frame later; the first paint of images that are still
 * being decoded comes even later. Only an observer gets the largest paint. If nothing is painted, the timer answers. This runs in the
 * page, so it must not name a function: tsx would add a call to a helper that the page lacks.
 */
const read = () =>
  new Promise<{ originMs: number; firstMs: number | null; largestMs: number | null }>((resolve) => {
    setTimeout(() => resolve({ originMs: performance.timeOrigin, firstMs: null, largestMs: null }), 500);
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        new PerformanceObserver((_, paints) => {
          const [first] = performance.getEntriesByName("first-contentful-paint");
          if (!first) return;
          paints.disconnect();
          new PerformanceObserver((list) =>
            resolve({
              originMs: performance.timeOrigin,
              firstMs: first.startTime,
              largestMs: list.getEntries().at(-1)?.startTime ?? null,
            }),
          ).observe({ type: "largest-contentful-paint", buffered: true });
        }).observe({ type: "paint", buffered: true }),
      ),
    );
  });
