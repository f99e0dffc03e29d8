/** The explanation as Markdown, CSV and JSON. */
import { stringify } from "csv-stringify/sync";
import { type Part, partNames, parts } from "../../explain/parts.ts";
import { alignedTable, orUnknown, printed, unknown } from "../tables/format.ts";
import { gainSum } from "./beside-published.ts";
import type { ExplainedGain, Explanation, GainBesidePublished, PartsMs } from "./summary.ts";

/** Below this a part is not worth its word, milliseconds and share of the time. */
const leastMs = 5;
const leastShare = 0.02;

const whole = (ms: number) => (Math.abs(ms) < 0.5 ? "" : ms.toFixed(0));

/** Parts that any of the rows has. */
const used = (rows: readonly PartsMs[]): Part[] =>
  partNames.filter((part) => rows.some((row) => Math.abs(row[part]) >= 0.5));

export function explanationMarkdown({ conditions, gains, untold, besidePublished }: Explanation): string {
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
    "Milliseconds of each load's critical path: from the load event back, what was waited for, and what that waited for.",
    "The floor is the least that physics and the protocol's rules allow: handshakes, round trips of requests and slow start, bytes over the rate.",
    columns.map((part) => `- **${part}**: ${parts[part]}`).join("\n"),
    alignedTable([["condition", "load, ms", "floor, ms", "load / floor", ...columns], ...rows], 1),
    ...gainTables(gains),
    ...publishedTable(besidePublished),
    ...[...new Set(untold.map(({ why }) => why))].map((why) => {
      const ids = untold.filter((one) => one.why === why).map(({ condition }) => condition);
      return `Without an account, for ${why}: ${ids.join(", ")}.`;
    }),
  ].join("\n\n")}\n`;
}

function gainTables(gains: readonly ExplainedGain[]): string[] {
  const ids = [...new Set(gains.map((gain) => gain.case))];
  return ids.flatMap((id) => {
    const own = gains.filter((gain) => gain.case === id);
    return [
      `## Case ${id}: ${own[0]!.title}`,
      alignedTable(
        [
          ["base", "load, ms", "option", "load, ms", "saved, ms", "where from"],
          ...own.map(({ base, option, savedMs, parts: saved }) => [
            base.condition.id,
            base.pageLoadMs.toFixed(0),
            option.condition.id,
            option.pageLoadMs.toFixed(0),
            savedMs.toFixed(0),
            gainWords(saved, base.pageLoadMs),
          ]),
        ],
        1,
      ),
    ];
  });
}

function publishedTable(gains: readonly GainBesidePublished[]): string[] {
  if (gains.length === 0) return [];
  return [
    "## Gains that differ most from the published ones",
    "A gain is 1 and what each part saves, as a share of the option's time (smaller parts are left away). At most: what it would be if the option took no longer than its floor.",
    alignedTable(
      [
        ["table", "gain", "parts", "here", "published", "at most", "settings"],
        ...gains.map(({ table, where, parts, ours, published, most, settings }) => [
          table,
          where,
          gainSum(parts),
          ours.toFixed(2),
          printed(published),
          orUnknown(most),
          `${settings}`,
        ]),
      ],
      3,
    ),
  ];
}

/** "waiting 1,100, connections 500; loses window 100" */
export function gainWords(saved: PartsMs, baseMs: number): string {
  const least = Math.max(leastMs, leastShare * baseMs);
  const named = partNames
    .filter((part) => Math.abs(saved[part]) >= least)
    .sort((a, b) => Math.abs(saved[b]) - Math.abs(saved[a]));
  const list = (all: Part[]) => all.map((part) => `${part} ${Math.abs(saved[part]).toFixed(0)}`).join(", ");
  const [gained, lost] = [named.filter((part) => saved[part] > 0), named.filter((part) => saved[part] < 0)];
  return (
    [...(gained.length ? [list(gained)] : []), ...(lost.length ? [`loses ${list(lost)}`] : [])].join("; ") || "no part"
  );
}

/** A line a condition, in full precision. */
export const explanationCsv = ({ conditions }: Explanation): string =>
  stringify(
    conditions.map(({ condition, loads, pageLoadMs, floorMs, parts: of }) => ({
      condition: condition.id,
      loads,
      pageLoadMs,
      floorMs,
      ...of,
    })),
    { header: true },
  );

export const explanationJson = ({ conditions, gains, ...rest }: Explanation): string =>
  JSON.stringify(
    {
      conditions: conditions.map(({ condition, ...of }) => ({ condition: condition.id, ...of })),
      gains: gains.map(({ base, option, setting: _, ...of }) => ({
        ...of,
        base: base.condition.id,
        option: option.condition.id,
      })),
      ...rest,
    },
    null,
    2,
  );
