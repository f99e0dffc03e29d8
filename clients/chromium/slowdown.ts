import type { Page } from "puppeteer-core";
import type { SlowdownEvidence } from "../../schema/evidence.ts";
import { ownWorld } from "./own-world.ts";

/** Only the fastest round counts, because other programs may have slowed down the rest. */
const rounds = 7;

/** Keeps interrupting the page's main thread; other threads keep their speed. @returns a function for after the load, which measures the slowdown */
export async function slowDown(page: Page, factor: number): Promise<() => Promise<SlowdownEvidence>> {
  await page.emulateCPUThrottling(factor);
  return async () => {
    const [slowed, plain]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      await page.emulateCPUThrottling(factor);
      slowed.push(await ownWorld(page).evaluate(work));
      await page.emulateCPUThrottling(1);
      plain.push(await ownWorld(page).evaluate(work));
    }
    return { slowedMs: Math.min(...slowed), plainMs: Math.min(...plain) };
  };
}

/** A computation for the page to run. @returns its duration, ms */
function work(): number {
  const startMs = performance.now();
  let state = 1;
  for (let i = 0; i < 4e6; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
  }
  const tookMs = performance.now() - startMs;
  return state === 0 ? Number.NaN : Math.round(tookMs * 10) / 10; // Chromium's resolution; using the state keeps the loop from being optimised away
}
