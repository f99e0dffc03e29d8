import { inMarkdown } from "../../../schema/foreign-words.ts";
import { counted } from "../../../schema/words.ts";
import { median } from "../../statistics/quantile.ts";
import { tooFewBlocks } from "../../statistics/resample.ts";
import { alignedTable, boundMark, neverEnded, unknown } from "../format.ts";
import { type ComparedCondition, type Comparison, isWithin, type Reason, type Side, sameShare } from "./compare.ts";
import { kindOf } from "./noted.ts";

export interface RunName {
  name: string;
  clock: string;
}

const closeShare = 0.05;
const apart = `medians more than ${100 * sameShare}% apart`;
const words: Record<Reason, string> = {
  "never ended": "in each run, half of the loads or more never ended, so times cannot be compared",
  same: `medians within ${100 * sameShare}% of each other`,
  "no interval": `${apart}, but there is no interval, so chance may be the cause`,
  chance: `${apart}, but the 95% interval of the ratio contains 1, so chance may be the cause`,
  ranks: `${apart}; the ratio's interval contains 1, but one run's loads usually take longer (Mann-Whitney U test)`,
  processor: `${apart}; the slower run's loads used more CPU time, by at least the difference of the medians, so CPU time can be the cause`,
  unknown: `${apart}; CPU time cannot be the cause, and these loads do not show another cause`,
};

/** Prints a table of groups, a line for each reason, and a table of conditions with the largest difference first. */
export function comparisonMarkdown({ compared, unmatched }: Comparison, [first, second]: [RunName, RunName]): string {
  const names = `first: ${inMarkdown(first.name)}, ${first.clock} clock; second: ${inMarkdown(second.name)}, ${second.clock} clock`;
  const rest = unmatched ? `; ${counted(unmatched, "condition has", "conditions have")} loads in only one run` : "";
  const distance = ({ ratio }: ComparedCondition) => Math.abs(Math.log(ratio.value ?? 1));
  const ordered = compared.toSorted((a, b) => distance(b) - distance(a));
  return `${[
    `# Two runs, ${counted(compared.length, "condition")}`,
    `${names}${rest}. Ratio = median page load time of the second run / of the first; its 95% interval is from a bootstrap over blocks.`,
    alignedTable([groupHeader, ...groupsOf(compared).map(groupRow)], 1),
    [...reasonsOf(compared), byChance(compared)].join("\n"),
    alignedTable([header, ...ordered.map(row)], 1),
  ].join("\n\n")}\n`;
}

function reasonsOf(compared: ComparedCondition[]): string[] {
  return (Object.keys(words) as Reason[]).map((reason) => {
    const own = compared.filter((one) => one.reason === reason);
    const fewest = Math.min(...own.map(({ first, second }) => Math.min(first.loads, second.loads)));
    const whyNone = tooFewBlocks(fewest) ?? "some of their loads never ended";
    const why = reason === "no interval" && own.length ? `: ${whyNone}` : "";
    return `- ${reason}: ${counted(own.length, "condition")}, ${words[reason]}${why}`;
  });
}

/** One 95% interval in twenty misses the true value. If loads hardly scatter, even medians within 2% of each other may have an interval without 1. */
function byChance(compared: readonly ComparedCondition[]): string {
  const known = compared.filter(({ interval }) => interval).length;
  const beyond = compared.filter(isBeyondChance).length;
  return `- intervals that do not contain 1: ${beyond} of ${known}; expected by chance alone: ${Math.round(known / 20)}`;
}

const isBeyondChance = ({ interval }: ComparedCondition) =>
  interval !== null && (interval.low > 1 || interval.high < 1);

const within = (share: number) => `within ${100 * share}%`;
const groupHeader = [
  ...["conditions", "number", within(sameShare), within(closeShare), "interval without 1"],
  ...["ratio, median", "spread first", "spread second"],
];

function groupsOf(compared: ComparedCondition[]) {
  const kind = (one: ComparedCondition) => kindOf(one.condition, one.first.queueDrops, one.second.queueDrops);
  const groups = [...new Set(compared.map(kind))]
    .sort()
    .map((label) => ({ label, members: compared.filter((one) => kind(one) === label) }));
  return [...groups, { label: "all", members: compared }].filter(({ members }) => members.length > 0);
}

function groupRow({ label, members }: ReturnType<typeof groupsOf>[number]): string[] {
  const close = (share: number) => `${members.filter(({ ratio }) => isWithin(ratio, share)).length}`;
  const middle = (of: (one: ComparedCondition) => number) => median(members.map(of));
  const ratios = members.flatMap(({ ratio }) => ratio.value ?? []);
  return [
    label,
    `${members.length}`,
    close(sameShare),
    close(closeShare),
    `${members.filter(isBeyondChance).length}`,
    ratios.length ? median(ratios).toFixed(3) : unknown,
    percent(middle(({ first }) => first.spread)),
    percent(middle(({ second }) => second.spread)),
  ];
}

const header =
  "condition | first, ms | second, ms | ratio | 95% interval | reason | loads | spread | CPU, ms | queue drops".split(
    " | ",
  );

function row({ condition, first, second, ratio, interval, reason }: ComparedCondition): string[] {
  const pair = (of: (side: Side) => string) => `${of(first)} / ${of(second)}`;
  const whole = (value: number | null) => (value === null ? "–" : value.toFixed(0));
  return [
    condition.id,
    milliseconds(first.medianMs),
    milliseconds(second.medianMs),
    ratio.value === null ? unknown : boundMark(ratio.bound) + ratio.value.toFixed(3),
    intervalText(interval),
    reason,
    pair(({ loads }) => `${loads}`),
    pair(({ spread }) => percent(spread)),
    pair(({ processorMs }) => whole(processorMs)),
    pair(({ queueDrops }) => whole(queueDrops)),
  ];
}

const milliseconds = (ms: number) => (ms === Infinity ? neverEnded : ms.toFixed(0));

function intervalText(interval: ComparedCondition["interval"]): string {
  if (!interval) return unknown;
  const [low, high] = [interval.low.toFixed(3), interval.high.toFixed(3)];
  if (interval.high === Infinity) return boundMark("at least") + low;
  return interval.low === 0 ? boundMark("at most") + high : `${low}–${high}`;
}

const percent = (share: number) => (Number.isFinite(share) ? `${(100 * share).toFixed(1)}%` : "unbounded");
