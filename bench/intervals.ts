import { enoughBlocks } from "../harness/statistics/resample.ts";
import { coverageOfClaims, kinds } from "./simulated-claims.ts";
import { coverage, coverageOf, meansOf, shapes } from "./simulated-intervals.ts";
import { coverageOfShares, truths } from "./simulated-why.ts";

const blockCounts = [enoughBlocks, 10, 20];
const statistics = ["mean", "geometric mean", "p90"];
const manyBlocks = 40; // enough for an interval of the 90% quantile

/** Prints how often 95% intervals contain the truth, for each distribution of loads, number of blocks, and statistic with an interval. */
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
  console.log();
  benchShares(10 * runs);
}

/** For the shares that `./lab why` prints: prints how often their intervals contain the true shares. */
function benchShares(runs: number): void {
  const names = ["share, ms", "share, %", "rest"];
  printHeads(Object.keys(truths).flatMap((truth) => names.map((name) => `${truth}: ${name}`)));
  for (const shape of Object.keys(shapes))
    for (const blocks of blockCounts) {
      const shares = Object.keys(truths).flatMap((truth) => {
        const { ms, percent: ofDifference, rest } = coverageOfShares(truth, shape, blocks, runs);
        return [ms, ofDifference, rest];
      });
      console.log(`| ${shape} | ${blocks} | ${shares.map((share) => percent(share)).join(" | ")} |`);
    }
}

function printHeads(heads: string[]): void {
  console.log(`| loads | blocks | ${heads.join(" | ")} |`);
  console.log(`| :-- | --: |${" --: |".repeat(heads.length)}`);
}

const percent = (share: number | null) =>
  share === null || Number.isNaN(share) ? "none" : `${(100 * share).toFixed(1)}%`;
