/** The explanation as Markdown and JSON. */
import { inMarkdown } from "../../../schema/foreign-words.ts";
import { alignedTable, orUnknown, printed, unknown } from "../../tables/format.ts";
import { type Part, type PartsMs, partNames, parts } from "../parts.ts";
import { speedupSum } from "./beside-published.ts";
import type { ExplainedSpeedup, Explanation, SpeedupBesidePublished } from "./summary.ts";

/** A part is left out if it is less than this many milliseconds, or this share of the baseline's time. */
const leastMs = 5;
const leastShare = 0.02;

/** If random reaction times of programs are more than this share of a load's time, the time depends on the virtual clock's option --processing. */
const mostReaction = 0.05;

const whole = (ms: number) => (Math.abs(ms) < 0.5 ? "" : ms.toFixed(0));

const used = (rows: readonly PartsMs[]): Part[] =>
  partNames.filter((part) => rows.some((row) => Math.abs(row[part]) >= 0.5));

export function explanationMarkdown({ conditions, speedups, unexplained, besidePublished }: Explanation): string {
  const columns = used(conditions.map((one) => one.parts));
  const rows = conditions.map(({ condition, pageLoadMs, floorMs, parts: of }) => [
    condition.id,
    pageLoadMs.toFixed(0),
    floorMs === null ? unknown : floorMs.toFixed(0),
    floorMs === null ? unknown : (pageLoadMs / floorMs).toFixed(1),
    ...columns.map((part) => whole(of[part])),
  ]);
  return `${[
    "# Where the time goes",
    "Milliseconds that each part takes on a load's critical path (medians of each condition's loads). The path goes from the load event back to the event that it waited for last, then to the event that this one waited for last, and so on, back to the start.",
    "The floor is the least time that physics and the protocol's rules allow: handshakes, round trips of requests and slow start, and all bytes at the link's rate.",
    columns.map((part) => `- **${part}**: ${parts[part]}`).join("\n"),
    alignedTable([["condition", "load, ms", "floor, ms", "load / floor", ...columns], ...rows], 1),
    ...reactionFlags(conditions),
    ...comparisonTables(speedups),
    ...publishedTable(besidePublished),
    ...[...new Set(unexplained.map(({ why }) => why))].map((why) => {
      const ids = unexplained.filter((one) => one.why === why).map(({ condition }) => condition);
      return `Not explained, because ${why}: ${ids.map(inMarkdown).join(", ")}.`;
    }),
  ].join("\n\n")}\n`;
}

function reactionFlags(conditions: Explanation["conditions"]): string[] {
  const shares = conditions
    .map(({ condition, pageLoadMs, parts: of }) => ({ id: condition.id, share: of.reaction / pageLoadMs }))
    .sort((a, b) => b.share - a.share);
  if (!shares[0] || shares[0].share === 0) return [];
  const percent = ({ id, share }: { id: string; share: number }) => `${inMarkdown(id)} (${(100 * share).toFixed(1)}%)`;
  const flagged = shares.filter(({ share }) => share > mostReaction);
  return [
    flagged.length
      ? `In these conditions, random reaction times are more than ${100 * mostReaction}% of the page load time, so this time depends on the option --processing: ${flagged.map(percent).join(", ")}.`
      : `Random reaction times are at most ${(100 * shares[0].share).toFixed(1)}% of any condition's page load time.`,
  ];
}

function comparisonTables(speedups: readonly ExplainedSpeedup[]): string[] {
  const ids = [...new Set(speedups.map((speedup) => speedup.comparison))];
  return ids.flatMap((id) => {
    const own = speedups.filter((speedup) => speedup.comparison === id);
    return [
      `## Comparison ${inMarkdown(id)}: ${inMarkdown(own[0]!.title)}`,
      alignedTable(
        [
          ["baseline", "load, ms", "option", "load, ms", "saved, ms", "saved in"],
          ...own.map(({ base, option, savedMs, parts: saved }) => [
            base.condition.id,
            base.pageLoadMs.toFixed(0),
            option.condition.id,
            option.pageLoadMs.toFixed(0),
            savedMs.toFixed(0),
            savedInWords(saved, base.pageLoadMs),
          ]),
        ],
        1,
      ),
    ];
  });
}

function publishedTable(speedups: readonly SpeedupBesidePublished[]): string[] {
  if (speedups.length === 0) return [];
  return [
    "## Speedups that differ most from the published ones",
    'A speedup is 1 plus what each part saves, as a share of the option\'s time; small parts are left out. The column "at most" has the speedup that the option would have if it took no longer than its floor.',
    alignedTable(
      [
        ["table", "speedup", "parts", "here", "published", "at most", "scenarios"],
        ...speedups.map(({ table, where, parts, ours, published, most, scenarios }) => [
          table,
          where,
          speedupSum(parts),
          ours.toFixed(2),
          printed(published),
          orUnknown(most),
          `${scenarios}`,
        ]),
      ],
      3,
    ),
  ];
}

/** Names the parts that became shorter, then those that became longer, with milliseconds: "waiting 1100, connections 500; loses window 100". */
export function savedInWords(saved: PartsMs, baseMs: number): string {
  const least = Math.max(leastMs, leastShare * baseMs);
  const named = partNames
    .filter((part) => Math.abs(saved[part]) >= least)
    .sort((a, b) => Math.abs(saved[b]) - Math.abs(saved[a]));
  const list = (all: Part[]) => all.map((part) => `${part} ${Math.abs(saved[part]).toFixed(0)}`).join(", ");
  const [saves, loses] = [named.filter((part) => saved[part] > 0), named.filter((part) => saved[part] < 0)];
  return (
    [...(saves.length ? [list(saves)] : []), ...(loses.length ? [`loses ${list(loses)}`] : [])].join("; ") || "no part"
  );
}

export const explanationJson = ({ conditions, speedups, ...rest }: Explanation): string =>
  JSON.stringify(
    {
      conditions: conditions.map(({ condition, ...of }) => ({ condition: condition.id, ...of })),
      speedups: speedups.map(({ base, option, scenario: _, ...of }) => ({
        ...of,
        base: base.condition.id,
        option: option.condition.id,
      })),
      ...rest,
    },
    null,
    2,
  );
