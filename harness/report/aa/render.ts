import { alignedTable, unknown } from "../tables/format.ts";
import type { AaGroup } from "./aa.ts";

/** What `./lab bench aa` prints. @param blocks of each arm */
export function aaMarkdown(groups: readonly AaGroup[], name: string, clock: string, blocks: number): string {
  const header =
    "speedups of | number | hold 1 | 95% would be | false positives | ratio, median | 5th to 95th percentile";
  return `${[
    `# A/A: ${name} against itself`,
    `${clock[0]!.toUpperCase()}${clock.slice(1)} clock. Odd blocks against even ones, ${blocks} each: every speedup is 1 in truth, so an interval that does not hold 1 is a\n` +
      "false positive of the tables. If each interval held it in 95% of runs, so many would, in 95% of runs. The ratios say how\n" +
      "far from 1 chance alone brings a speedup of so many blocks. Averages share loads, so no such number is known of them.",
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
