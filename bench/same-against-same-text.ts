import { alignedTable, unknown } from "../harness/tables/format.ts";
import type { AaGroup } from "./same-against-same.ts";

/** The output of `./lab bench aa`. @param blocks the number of blocks in each arm */
export function aaMarkdown(groups: readonly AaGroup[], name: string, clock: string, blocks: number): string {
  const header =
    "speedups of | number | contain 1 | expected | false positives | ratio, median | 5th to 95th percentile";
  return `${[
    `# A/A: ${name} against itself`,
    `${clock[0]!.toUpperCase()}${clock.slice(1)} clock. Odd blocks are compared with even ones, ${blocks} each. The true speedup is always 1, so an interval without 1 is a\n` +
      "false positive of the tables. Expected: how many contain 1 in 95% of runs, if each does so with a probability of 95%; it is\n" +
      "not known for averages, which share loads. The ratios show how far from 1 chance alone moves a speedup of this many blocks.",
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
