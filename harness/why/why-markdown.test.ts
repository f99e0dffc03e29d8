import assert from "node:assert/strict";
import { test } from "node:test";
import type { Measured } from "./estimates.ts";
import { causeShare, whyMarkdown } from "./why-markdown.ts";
import type { WhyReport } from "./why-report.ts";

const about = (value: number, most = 10): Measured => ({ value, interval: { low: value - most, high: value + most } });
const cause = (name: string, ms: number, percent: number) => ({
  name,
  ms: about(ms),
  percent: about(percent, 5),
  aloneMs: about(ms / 2),
  lastMs: about(ms),
});
const report = {
  title: "Why protocol h2 differs from h1: page C",
  command: "./lab why --protocol h1,h2",
  plan: {
    compared: "protocol",
    sides: ["h1", "h2"],
    fixed: { page: "C" },
    causes: [
      { name: "queue-limit", removed: { queue: 1000 }, from: [0, 1] },
      { name: "random-loss", removed: { loss: 0 }, from: [0, 1] },
      { name: "hystart", removed: { congestion: "cubic-no-hystart" }, from: [1] },
    ],
    notRemoved: [{ name: "initial-window", reason: "over h3 it is fixed" }],
  },
  sides: ["h1", "h2"],
  loads: 160,
  flaggedLoads: 0,
  blocks: 10,
  noIntervals: null,
  notShown: [],
  modes: [],
  estimates: {
    differenceMs: about(1000),
    restMs: about(150),
    restPercent: about(15, 1),
    causes: [cause("queue-limit", -50, -5), cause("random-loss", 700, 70), cause("hystart", -200, -20)],
    interactions: [
      { names: ["queue-limit", "random-loss"], ms: about(300) },
      { names: ["random-loss", "hystart"], ms: about(-200) },
      { names: ["queue-limit", "hystart"], ms: about(5) },
    ],
    sidesMs: [about(2000), about(3000)],
  },
  pathMs: { "queue-limit": 1, "random-loss": 650, hystart: 0 },
  digest: "0123456789abcdef",
} as unknown as WhyReport;

test("the answer has a sentence for each cause, sorted by the absolute value of the share, largest first", () => {
  const text = whyMarkdown(report);
  assert.match(
    text,
    /h1 takes 2000 ms \(1990 to 2010\), h2 takes 3000 ms \(2990 to 3010\)\. So h2 takes 1000 ms \(990 to 1010\) longer than h1\./,
  );
  const sentences = text.split("\n").filter((line) => line.startsWith("- "));
  assert.deepEqual(sentences, [
    "- Random loss makes 70% (65 to 75) of the difference.",
    "- CUBIC's HyStart works against the difference: its share is -20% (-25 to -15).",
    "- The limit of the bottleneck's queue: its share may be 0 (-10 to 0% of the difference).",
    "- Without all of these causes, 15% (14 to 16) of the difference is left.",
    "- The limit of the bottleneck's queue and random loss act together: removing both at once reduces the difference by 300 ms (290 to 310) more than the sum of the two separate reductions.",
    "- Random loss and CUBIC's HyStart overlap: removing both at once reduces the difference by 200 ms (190 to 210) less than the sum of the two separate reductions.",
    "- CUBIC's HyStart: only h2 has this cause.",
    "- The initial congestion window cannot be removed, and is part of the rest: over h3 it is fixed.",
  ]);
  assert.equal(causeShare(report, "random-loss"), "70% (65 to 75)");
  assert.throws(() => causeShare(report, "gravity"), /no cause gravity; it has queue-limit, random-loss, hystart/);
});

test("if the interval of the difference contains 0, the answer says that the difference may be chance", () => {
  const estimates = { ...report.estimates, differenceMs: about(5) };
  assert.match(whyMarkdown({ ...report, estimates }), /This may be chance: its interval contains 0/);
});

test("if the second side is faster, the answer says by how much", () => {
  const estimates = { ...report.estimates, differenceMs: about(-400) };
  assert.match(whyMarkdown({ ...report, estimates }), /So h2 takes 400 ms \(390 to 410\) less than h1\./);
});

test("a quick run's answer says that its numbers are not shares", () => {
  const text = whyMarkdown({ ...report, plan: { ...report.plan, quick: true } });
  assert.match(text, /These are not shares, and do not add up/);
  assert.doesNotMatch(text, /makes/);
});

test("if a side's times fall into separate groups, a note lists the groups; other conditions with separate groups are only counted", () => {
  const group = (least: number, segments: number) => ({
    ...{ least, most: least + 10, size: 5 },
    repeatedSegments: { "s1.lab": { least: segments, most: segments } },
  });
  const groups = [group(2000, 4), group(3000, 40)];
  const modal: WhyReport = {
    ...report,
    modes: [
      { condition: "x", side: 1, groups },
      { condition: "y", side: null, groups },
    ],
  };
  const text = whyMarkdown(modal);
  assert.match(
    text,
    /^- The times of h2 fall into separate groups: 5 loads take 2000–2010 ms; retransmitted segments: s1\.lab 4 \| 5 loads take 3000–3010 ms; retransmitted segments: s1\.lab 40\.$/m,
  );
  assert.match(text, /^- So do the times of 1 condition without some of the causes; --json names it\.$/m);
});
