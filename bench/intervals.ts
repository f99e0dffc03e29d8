import { enoughBlocks } from "../harness/statistics/resample.ts";
import { coverageOfClaims, kinds } from "./simulated-claims.ts";
import { coverage, coverageOf, meansOf, shapes } from "./simulated-intervals.ts";

const blockCounts = [enoughBlocks, 10, 20];
const statistics = ["mean", "geometric mean", "p90"];
/** With this number of loads, a 90% quantile has an interval. */
const manyBlocks = 40;

/** How often 95% intervals really contain the truth: of each shape of loads, number of blocks, and what is printed with an interval. */
export function benchIntervals({ runs }: { runs: number }): void {
  const heads = [
    ...meansOf.map((size) => (size === 1 ? "one speedup" : `geometric mean of ${size}`)),
    ...statistics.map((name) => `speedup of the ${name}`),
  ];
  printHeads(heads);
  for (const shape of Object.keys(shapes))
    for (const blocks of [...blockCounts, manyBlocks]) {
      const means = blocks === manyBlocks ? meansOf.map(() => null) : coverage(shape, blocks, runs);
      const others = statistics.map((name) => coverageOf(name, shape, blocks, 20 * runs));
      const shares = [...means, ...others].map((share, i) =>
        means[i] === null && i < means.length ? "" : percent(share),
      );
      console.log(`| ${shape} | ${blocks} | ${shares.join(" | ")} |`);
    }
  console.log();
  printHeads(Object.keys(kinds));
  for (const shape of Object.keys(shapes))
    for (const blocks of blockCounts)
      console.log(
        `| ${shape} | ${blocks} | ${coverageOfClaims(shape, blocks, 10 * runs)
          .map(percent)
          .join(" | ")} |`,
      );
}

function printHeads(heads: string[]): void {
  console.log(`| loads | blocks | ${heads.join(" | ")} |`);
  console.log(`| :-- | --: |${" --: |".repeat(heads.length)}`);
}

const percent = (share: number | null) => (share === null ? "none" : `${(100 * share).toFixed(1)}%`);
