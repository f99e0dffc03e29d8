/** The modes of conditions' times in words, and as a table. */
import { inMarkdown } from "../../schema/foreign-words.ts";
import { counted } from "../../schema/words.ts";
import { alignedTable, threeDigits, unknown } from "./format.ts";
import type { ConditionModes, ModeGroup, Range } from "./modes.ts";

export const modesSentence = (modes: readonly ConditionModes[], conditions: number): string =>
  `In ${modes.length} of ${counted(conditions, "condition")} the loads' times fall into separate groups, so the median may be a time that hardly any load took: see [conditions.md](conditions.md).`;

/** Describes a group, as in "10 loads take 2868–2882 ms; retransmitted segments: s1.lab 52–56, s2.lab 0". */
export function groupText({ least, most, size, repeatedSegments }: ModeGroup, unit: string): string {
  const again = repeatedText(repeatedSegments);
  return `${counted(size, "load")} ${size === 1 ? "takes" : "take"} ${range({ least, most }, threeDigits)} ${unit}${again && `; retransmitted segments: ${again}`}`;
}

export const modesTable = (modes: readonly ConditionModes[], unit: string): string =>
  alignedTable(
    [
      ["condition", "loads", `times, ${unit}`, "retransmitted segments, by host"],
      ...modes.flatMap(({ condition, groups }) =>
        groups.map(({ least, most, size, repeatedSegments }, i) => [
          i === 0 ? inMarkdown(condition) : "",
          `${size}`,
          range({ least, most }, threeDigits),
          inMarkdown(repeatedText(repeatedSegments)) || unknown,
        ]),
      ),
    ],
    2,
  );

const repeatedText = (byHost: Readonly<Record<string, Range>>): string =>
  Object.entries(byHost)
    .map(([host, segments]) => `${host} ${range(segments, String)}`)
    .join(", ");

const range = ({ least, most }: Range, text: (value: number) => string): string =>
  text(least) === text(most) ? text(least) : `${text(least)}–${text(most)}`;
