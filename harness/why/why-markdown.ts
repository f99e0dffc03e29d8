/** Prints the answer of a `why` run as Markdown for people and as JSON for programs. */

import { usageError } from "../../schema/errors.ts";
import { inMarkdown } from "../../schema/foreign-words.ts";
import { counted } from "../../schema/words.ts";
import { alignedTable, flaggedInWords, unknown } from "../tables/format.ts";
import { groupText } from "../tables/modes-markdown.ts";
import { contains, type Interaction, type Measured, type MeasuredCause } from "./estimates.ts";
import { causeNamed } from "./registry.ts";
import type { WhyReport } from "./why-report.ts";

/** Interactions below this share of the difference are not printed. */
const leastInteraction = 0.1;

export const whyJson = (report: WhyReport): string => JSON.stringify(report, null, 2);

export const whyMarkdown = (report: WhyReport): string =>
  `${[`# ${inMarkdown(report.title)}`, whyAnswer(report), meaningOf(report)].join("\n\n")}\n`;

/** Prints one cause's share of the difference, with its interval. @throws LabError (usage) for a cause that the run does not have */
export function causeShare({ estimates: { causes } }: WhyReport, name: string): string {
  const found = causes.find((one) => one.name === name);
  if (!found) throw usageError(`this run has no cause ${name}; it has ${causes.map((one) => one.name).join(", ")}`);
  if (!found.ms) throw usageError(`this is a quick run, so ${name} has no share`);
  return found.percent ? withEnds(found.percent, "%") : milliseconds(found.ms);
}

/** Returns the answer without a heading, to be inserted into documents. */
export function whyAnswer(report: WhyReport): string {
  const { estimates, plan, blocks, loads, flaggedLoads, digest } = report;
  const causes = [...estimates.causes].sort((a, b) => sizeOf(b) - sizeOf(a));
  const sentences = plan.quick
    ? []
    : [...causes.map(sentenceOf), restSentence(report), ...interactionSentences(report)];
  return [
    differenceSentence(report),
    ...(sentences.length ? [sentences.map((one) => `- ${one}`).join("\n")] : []),
    tableOf(report, causes),
    ...notesOf(report),
    `Measured by ${inMarkdown(report.command)}: ${counted(loads, "load")}${flaggedLoads ? `, ${flaggedInWords(flaggedLoads)}` : ""}, ${counted(blocks, "block")}; digest ${digest.slice(0, 12)}. 95% intervals are from a bootstrap over blocks.`,
  ].join("\n\n");
}

const sizeOf = ({ ms, aloneMs, lastMs }: MeasuredCause) =>
  ms ? Math.abs(ms.value) : Math.max(Math.abs(aloneMs.value), Math.abs(lastMs.value));

function differenceSentence({ sides, estimates, noIntervals }: WhyReport): string {
  const { differenceMs, sidesMs } = estimates;
  const [first, second] = sides.map(inMarkdown);
  const both = sidesMs.map((side, i) => `${inMarkdown(sides[i]!)} takes ${milliseconds(side)}`).join(", ");
  const slower = differenceMs.value > 0;
  const difference = `${second} takes ${milliseconds(slower ? differenceMs : negative(differenceMs))} ${slower ? "longer than" : "less than"} ${first}`;
  const { interval } = differenceMs;
  const doubt = interval
    ? contains(interval, 0)
      ? " **This may be chance: its interval contains 0.** So no cause has a share in percent."
      : ""
    : ` There are no intervals: ${noIntervals}.`;
  return `Median page load time: ${both}. So ${difference}.${doubt}`;
}

const negative = ({ value, interval }: Measured): Measured => ({
  value: -value,
  interval: interval && { low: -interval.high, high: -interval.low },
});

function sentenceOf({ name, percent, ms }: MeasuredCause): string {
  const { title } = causeNamed(name, "why");
  if (!percent) return `${title}: ${milliseconds(ms!)}.`;
  const { value, interval } = percent;
  if (interval && contains(interval, 0))
    return `${title}: its share may be 0 (${ends(percent, "%")} of the difference).`;
  return value > 0
    ? `${title} makes ${withEnds(percent, "%")} of the difference.`
    : `${title} works against the difference: its share is ${withEnds(percent, "%")}.`;
}

function restSentence({ estimates: { restMs, restPercent } }: WhyReport): string {
  const { interval } = restMs;
  const isSure = interval === null || !contains(interval, 0);
  if (!isSure) {
    const rest = restPercent
      ? `as a share of the original difference, it is ${withEnds(restPercent, "%")}`
      : `it is ${milliseconds(restMs)}`;
    return `Without all of these causes, the remaining difference may be 0; ${rest}.`;
  }
  const rest = restPercent ? `${withEnds(restPercent, "%")} of the difference` : milliseconds(restMs);
  return restPercent && restPercent.value <= -0.5
    ? `Without all of these causes, the other side is slower, by ${withEnds(negative(restPercent), "%")} of the difference.`
    : `Without all of these causes, ${rest} is left.`;
}

function interactionSentences({ estimates: { interactions, differenceMs } }: WhyReport): string[] {
  const isLarge = ({ ms: { value, interval } }: Interaction) =>
    interval !== null && !contains(interval, 0) && Math.abs(value) >= leastInteraction * Math.abs(differenceMs.value);
  return interactions
    .filter(isLarge)
    .sort((a, b) => Math.abs(b.ms.value) - Math.abs(a.ms.value))
    .map(({ names, ms }) => {
      const [first, second] = names.map((name) => causeNamed(name, "why").title);
      const both = `${first} and ${second!.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`;
      const more = Math.sign(ms.value) === Math.sign(differenceMs.value);
      const by = milliseconds(absolute(ms));
      return more
        ? `${both} act together: removing both at once reduces the difference by ${by} more than the sum of the two separate reductions.`
        : `${both} overlap: removing both at once reduces the difference by ${by} less than the sum of the two separate reductions.`;
    });
}

const absolute = (one: Measured): Measured => (one.value < 0 ? negative(one) : one);

function tableOf({ plan, pathMs, estimates, sides }: WhyReport, causes: readonly MeasuredCause[]): string {
  const [first, second] = sides;
  const shares = plan.quick ? [] : [`share of ${second} − ${first}, ms`, "share, %"];
  const header = ["cause", "replaced by", ...shares, "removed alone, ms", "removed last, ms", "path of one load, ms"];
  const rows = causes.map(({ name, ms, percent, aloneMs, lastMs }) => {
    const { title, instead } = causeNamed(name, "why");
    const path = pathMs?.[name];
    return [
      title,
      instead,
      ...(ms ? [withEnds(ms), percent ? withEnds(percent) : unknown] : []),
      withEnds(aloneMs),
      withEnds(lastMs),
      path === undefined ? unknown : rounded(path),
    ];
  });
  const { restMs, restPercent, differenceMs } = estimates;
  const rest = ["rest", "", ...(plan.quick ? [] : [withEnds(restMs), restPercent ? withEnds(restPercent) : unknown])];
  const sum = ["difference", "", withEnds(differenceMs), restPercent ? "100" : unknown];
  const empty = (row: string[]) => [...row, ...Array.from({ length: header.length - row.length }, () => "")];
  return alignedTable([header, ...rows, ...(plan.quick ? [] : [empty(rest), empty(sum)])], 2);
}

const meaningOf = ({ plan, estimates }: WhyReport): string =>
  plan.quick
    ? `The columns show by how much the difference falls if a cause is removed alone, or last (after all others). These are not shares, and do not add up; without \`--quick\`, ./lab why measures shares. Without all of these causes, ${milliseconds(estimates.restMs)} of the difference are left.`
    : "A share is how much removing the cause reduces the difference, as a mean over all orders in which the causes can be removed (Shapley value). Shares and the rest are measured, and add up to the difference. The last column is the difference that ./lab explain attributes to the cause, from one load of each side. Causes of the same part of the critical path have the same number there.";

function notesOf({ plan, sides, notShown, modes }: WhyReport): string[] {
  const oneSided = plan.causes.flatMap(({ name, from: [first, ...others] }) =>
    others.length || first === undefined
      ? []
      : [`${causeNamed(name, "why").title}: only ${inMarkdown(sides[first]!)} has this cause.`],
  );
  const notRemoved = plan.notRemoved.map(
    ({ name, reason }) =>
      `${causeNamed(name, "why").title} cannot be removed, and is part of the rest: ${inMarkdown(reason)}.`,
  );
  const leftOut = plan.leftOut?.length
    ? [
        `Left out, because removing these causes changed the difference least: ${inMarkdown(plan.leftOut.join(", "))}. They are part of the rest.`,
      ]
    : [];
  const hidden = notShown.map(
    ({ name, axis, conditions }) =>
      `${causeNamed(name, "why").title}: in ${counted(conditions, "condition")}, no load confirms the value of axis ${axis}, which is only known to be configured.`,
  );
  const lines = [...oneSided, ...notRemoved, ...leftOut, ...hidden, ...modeNotes(sides, modes)];
  return lines.length ? [lines.map((line) => `- ${line}`).join("\n")] : [];
}

/** Returns notes on times that fall into separate groups, because the median of these times may be a time that hardly any load took. */
function modeNotes(sides: WhyReport["sides"], modes: WhyReport["modes"]): string[] {
  const notes = modes.flatMap(({ side, groups }) =>
    side === null
      ? []
      : [
          `The times of ${inMarkdown(sides[side])} fall into separate groups: ${groups.map((group) => inMarkdown(groupText(group, "ms"))).join(" | ")}.`,
        ],
  );
  const others = modes.length - notes.length;
  return others
    ? [
        ...notes,
        `${notes.length ? "So do the times" : "The times"} of ${counted(others, "condition")} without some of the causes${notes.length ? "" : " fall into separate groups"}; --json names ${others === 1 ? "it" : "them"}.`,
      ]
    : notes;
}

const rounded = (value: number): string => value.toFixed(0).replace(/^-0$/, "0");
const milliseconds = (one: Measured): string => withEnds(one, " ms");
const withEnds = ({ value, interval }: Measured, unit = ""): string =>
  `${rounded(value)}${unit}${interval ? ` (${rounded(interval.low)} to ${rounded(interval.high)})` : ""}`;
const ends = ({ value, interval }: Measured, unit: string): string =>
  interval ? `${rounded(interval.low)} to ${rounded(interval.high)}${unit}` : `${rounded(value)}${unit}`;
