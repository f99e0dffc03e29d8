import type { Page } from "puppeteer-core";
import type { SlowdownEvidence } from "../../schema/evidence.ts";

/** The least of so many tells what the page's processor can do when nobody disturbs it. */
const rounds = 7;

/**
 * Slow down what the page computes: Chromium stops the page's main thread again and again. Its other threads, and its
 * network's process, stay as fast as they are.
 * @returns measures how much slower the page is, by the same work with and without; to be asked once the load is over
 */
export async function slowDown(page: Page, factor: number): Promise<() => Promise<SlowdownEvidence>> {
  await page.emulateCPUThrottling(factor);
  return async () => {
    const [slowed, plain]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      await page.emulateCPUThrottling(factor);
      slowed.push(await page.evaluate(work));
      await page.emulateCPUThrottling(1);
      plain.push(await page.evaluate(work));
    }
    return { slowedMs: Math.min(...slowed), plainMs: Math.min(...plain) };
  };
}

/** What a page's script does with a number some million times. @returns how long it took, ms */
function work(): number {
  const startMs = performance.now();
  let state = 1;
  for (let i = 0; i < 4e6; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
  }
  const tookMs = performance.now() - startMs;
  return state === 0 ? Number.NaN : Math.round(tookMs * 10) / 10; // Chromium's resolution; the state is never 0, and used
}
