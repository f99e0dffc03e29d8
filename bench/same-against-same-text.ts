import { alignedTable, unknown } from "../harness/tables/format.ts";
import type { AaGroup } from "./same-against-same.ts";

/** Returns the output of `./lab bench aa`. @param blocks the number of blocks in each arm */
export function aaMarkdown(groups: readonly AaGroup[], name: string, clock: string, blocks: number): string {
  const header =
    "speedups of | number | contain 1 | expected | false positives | ratio, median | 5th to 95th percentile";
  return `${[
    `# A/A: ${name} against itself`,
    `${clock[0]!.toUpperCase()}${clock.slice(1)} clock. Odd blocks are compared with even ones, ${blocks} each. The true speedup is always 1, so an interval\n` +
      "that does not contain 1 is a false positive. Expected: how many intervals contain 1 in 95% of runs, if each contains 1 with a\n" +
      "probability of 95%; unknown for averages, because they share loads. The ratios show how far chance alone moves such speedups from 1.",
    alignedTable([header.split(" | "), ...groups.map(row)], 1),
  ].join("\n\n")}\n`;
}

const row = ({ label, number, holding, expected, median, percentile5, percentile95 }: AaGroup): string[] => [
  label,
  `${number}`,
  `${holding} (${percent(holding / number)})`,
  expected ? `${expected.from} to ${expected.to}` : unknown,
  percent(1 - holding / number),
  median.toFixed(3),
  `${percentile5.toFixed(3)} to ${percentile95.toFixed(3)}`,
];

const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
