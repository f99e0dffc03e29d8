import type { Page } from "puppeteer-core";
import type { PaintEvidence } from "../../schema/evidence.ts";

/** A page's paint timing, read after the load; null when it painted nothing, or has been replaced by another page. */
export async function paintOf(page: Page): Promise<PaintEvidence | null> {
  const found = await page.evaluate(read).catch((error: Error) => {
    if (/context was destroyed|Cannot find context/.test(error.message)) return null;
    throw error;
  });
  const [first, largest] = found ?? [];
  if (first == null || largest == null) return null;
  const rounded = (ms: number) => Math.round(ms * 10) / 10; // Chromium's resolution
  return { firstContentfulMs: rounded(first), largestContentfulMs: rounded(largest) };
}

/**
 * What came last is painted a frame after the load event, and told a frame after that. Only an observer is told the largest;
 * where there is none it is never called, and the timer answers. In the page; what names a function there calls for tsx.
 */
const read = () =>
  new Promise<(number | null)[]>((resolve) => {
    setTimeout(() => resolve([]), 500);
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        new PerformanceObserver((list) =>
          resolve([
            performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
            list.getEntries().at(-1)?.startTime ?? null,
          ]),
        ).observe({ type: "largest-contentful-paint", buffered: true }),
      ),
    );
  });
