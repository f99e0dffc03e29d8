import { enoughBlocks } from "../statistics/resample.ts";
import { coverage, meansOf, shapes } from "./simulated-intervals.ts";

const blockCounts = [enoughBlocks, 10, 20];

/** What 95% intervals really hold, by the number of blocks, of settings that a mean is of, and by how loads scatter. */
export function benchIntervals({ runs }: { runs: number }): void {
  console.log(
    `| loads | blocks | ${meansOf.map((size) => (size === 1 ? "one gain" : `mean of ${size}`)).join(" | ")} |`,
  );
  console.log(`| :-- | --: |${" --: |".repeat(meansOf.length)}`);
  for (const shape of Object.keys(shapes))
    for (const blocks of blockCounts) {
      const shares = coverage(shape, blocks, runs).map((share) => `${(100 * share).toFixed(1)}%`);
      console.log(`| ${shape} | ${blocks} | ${shares.join(" | ")} |`);
    }
}
