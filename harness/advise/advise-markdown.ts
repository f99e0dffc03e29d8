/** Formats the result of `./lab advise` as Markdown for people and as JSON for programs. */
import { inMarkdown } from "../../schema/foreign-words.ts";
import { counted } from "../../schema/words.ts";
import type { AdvisePlan, DroppedChange } from "../plan/advise-plan.ts";
import type { Bounded } from "../statistics/estimate.ts";
import { alignedTable, unknown } from "../tables/format.ts";
import type { AdviseReport } from "./advise-report.ts";
import { changeOptions } from "./command.ts";
import type { Computing } from "./computing.ts";
import { type FinalChange, type FinalEstimates, type JointlyMeasured, surelyHelps } from "./final-estimates.ts";
import { worthShare } from "./standings.ts";

export const adviseJson = (report: AdviseReport, computing: Computing | null = null): string =>
  JSON.stringify(
    { ...report, ...(computing && { computing }) },
    (_, value) => (value instanceof Map ? Object.fromEntries(value) : value),
    2,
  );

export function adviseMarkdown(report: AdviseReport, computing: Computing | null = null): string {
  const { plan, estimates, metricTitle } = report;
  const links = plan.users.map(({ link, percent }) => {
    const time = estimates.unchangedLinksMs.get(link);
    return `${inMarkdown(link)} (${percent}% of the users) ${time ? inMs(time) : unknown}`;
  });
  return `${[
    `# What makes ${inMarkdown(plan.page)} faster`,
    `The ${metricTitle} is now ${inMs(estimates.unchangedMs)} on average over all users: ${links.join(", ")}.`,
    verdictSentence(report),
    ...(estimates.changes.length ? [tableOf(report)] : []),
    ...combinedSentence(report),
    ...costsOf(report),
    ...leftOutOf(report),
    ...(computing ? [computingSentence(computing)] : []),
    notesOf(report),
  ].join("\n\n")}\n`;
}

const percentage = `${100 * worthShare}%`;

function verdictSentence({ estimates, plan }: AdviseReport): string {
  const { verdict, changes } = estimates;
  const best = changes.find(({ change, savedPercent }) => change !== plan.combined?.name && surelyHelps(savedPercent));
  if (best) return `**Change first: ${titleOf(plan, best.change)}.** It saves ${saved(best)}.`;
  if (verdict === "helps")
    return `**No single change is sure to make this page ${percentage} faster, but a combination is.**`;
  const nothing = `**Nothing that was tried is sure to make this page ${percentage} faster.**`;
  return verdict === "nothing helps"
    ? `${nothing} Each change surely saves less than ${percentage}.`
    : changes.length
      ? `${nothing} But some change may save ${percentage} or more.`
      : nothing;
}

const titleOf = (plan: AdviseReport["plan"], name: string): string => inMarkdown(plainTitleOf(plan, name));
const plainTitleOf = ({ changes }: AdviseReport["plan"], name: string): string =>
  changes.find((one) => one.name === name)?.title ?? name;

function tableOf({ plan, estimates }: AdviseReport): string {
  const { changes } = estimates;
  const single = changes.filter(({ change }) => change !== plan.combined?.name);
  const together = changes.filter(({ change }) => change === plan.combined?.name);
  const rows = [
    ...together.map((one) => rowOf(one, "all of", plan, estimates)),
    ...single.map((one, i) => rowOf(one, i === 0 || one.isTied ? "1" : String(i + 1), plan, estimates)),
  ];
  return alignedTable([headerOf(plan, "change"), ...rows], 2);
}

const headerOf = ({ users }: AdvisePlan, what: string): string[] => [
  ...["", what, "saves, ms", "%"],
  ...users.map(({ link }) => `${link}, ms`),
];

const rowOf = (one: FinalChange, place: string, plan: AdvisePlan, { unchangedLinksMs }: FinalEstimates): string[] => [
  ...[place, plainTitleOf(plan, one.change)],
  ...[withEnds(one.savedMs, wholeNumber), withEnds(one.savedPercent, oneDigit)],
  ...plan.users.map(({ link }) => difference(unchangedLinksMs.get(link), one.linksMs.get(link))),
];

/** Prints what parts of the page cost. This is not advice, because without these parts the page shows or does less. */
function costsOf({ plan, costs }: AdviseReport): string[] {
  if (costs.changes.length === 0) return [];
  const rows = costs.changes.map((one) => rowOf(one, "", plan, costs));
  return [
    "What each part of the page costs, including the files that only this part requests:",
    alignedTable([headerOf(plan, "without it"), ...rows], 2),
  ];
}

function combinedSentence({ plan, estimates: { changes } }: AdviseReport): string[] {
  const { combined } = plan;
  const together = changes.find(({ change }) => change === combined?.name);
  if (!combined || !together) return [];
  const parts = combined.of.map((name) => changes.find(({ change }) => change === name)?.savedMs.value ?? null);
  const sum = parts.reduce<number | null>((total, one) => (total === null || one === null ? null : total + one), 0);
  const alone = sum === null ? "" : `; the separate savings of these changes add up to ${wholeNumber(sum)} ms`;
  return [`Together, ${titleOf(plan, combined.name)}: this saves ${saved(together)}${alone}.`];
}

function computingSentence({ folder, loads, realMs, percent }: Computing): string {
  const ends = (one: Computing["percent"], text: (value: number) => string) =>
    `${text(one.value)} (${text(one.low)} to ${text(one.high)})`;
  return `On this machine's real clock, the unchanged page takes ${ends(realMs, wholeNumber)} ms. ${ends(percent, oneDigit)}% of this time is computing by the page's scripts, the browser and the servers; the times above do not include computing. (Median, shortest and longest of ${counted(loads, "time")}, each an average over all users; run ${inMarkdown(folder)}.)`;
}

function leftOutOf({ plan, unmeasured }: AdviseReport): string[] {
  const gaps = plan.changes.flatMap(({ name, title }): DroppedChange[] => {
    const reason = unmeasured.get(name);
    return reason === undefined ? [] : [{ name, title, reason }];
  });
  const all = [...(plan.dropped ?? []), ...gaps];
  if (all.length === 0) return [];
  const reasons = [...new Set(all.map(({ reason }) => reason))];
  const lines = reasons.map((reason) => {
    const names = all.filter((one) => one.reason === reason).map(({ title }) => inMarkdown(title));
    return `- ${inMarkdown(reason)}: ${names.join("; ")}`;
  });
  return [`Changes that are not in the table, and why:\n\n${lines.join("\n")}`];
}

function notesOf({ plan, estimates: { blocks }, loads, seed, command, folder, digest }: AdviseReport): string {
  const names = plan.changes.map(({ name }) => name);
  const search = plan.search ? ` The changes were chosen with ${counted(plan.search.loads, "other load")}.` : "";
  return [
    `The savings come from ${counted(blocks, "fresh load")} of each page over each link. The 95% intervals hold jointly: in 95% of cases, all intervals of a table contain the true savings.${search}`,
    "The virtual clock does not count computing, so these numbers do not include the CPU time of scripts.",
    `To measure these changes again: ${asCode(`${command} ${changeOptions(names)} --loads ${loads} --seed ${seed}`)}; to measure one change alone, give only its \`--change\`. Run: ${inMarkdown(folder)} (${asCode(`./lab report ${folder}`)} shows the requests with and without each change), digest ${digest.slice(0, 12)}.`,
  ].join(" ");
}

/** `inMarkdown` has already put text that contains markup into backticks. */
function asCode(text: string): string {
  const safe = inMarkdown(text);
  return safe.startsWith("`") ? safe : `\`${safe}\``;
}

const saved = ({ savedMs, savedPercent }: FinalChange): string =>
  `${withEnds(savedMs, wholeNumber)} ms, ${withEnds(savedPercent, oneDigit)}%`;

// `|| 0` replaces -0, the result of rounding a small negative number, which would be printed as "-0".
const wholeNumber = (ms: number): string => (Math.round(ms) || 0).toLocaleString("en");
const oneDigit = (percent: number): string => (Math.round(10 * percent) / 10 || 0).toFixed(1);

const inMs = ({ value, bound }: Bounded): string =>
  value === null ? unknown : `${bound ? `${bound} ` : ""}${wholeNumber(value)} ms`;

function withEnds({ value, bound, interval }: JointlyMeasured, text: (value: number) => string): string {
  if (value === null) return unknown;
  const ends = interval ? ` (${text(interval.low)} to ${text(interval.high)})` : "";
  return `${bound ? `${bound} ` : ""}${text(value)}${ends}`;
}

function difference(before: Bounded | undefined, after: Bounded | undefined): string {
  if (!before || !after || before.value === null || after.value === null || before.bound || after.bound) return unknown;
  return wholeNumber(before.value - after.value);
}
