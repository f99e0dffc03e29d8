import assert from "node:assert/strict";
import { test } from "node:test";
import type { Measured } from "./estimates.ts";
import { whyCsv, whySteps, whySvg } from "./why-figure.ts";
import type { WhyReport } from "./why-report.ts";

const about = (value: number): Measured => ({ value, interval: { low: value - 10, high: value + 10 } });
const report = {
  title: "Why protocol h2 differs from h1: page C",
  loads: 160,
  blocks: 10,
  sides: ["h1", "h2"],
  estimates: {
    sidesMs: [about(2000), about(3000)],
    restMs: about(150),
    causes: [
      { name: "queue-limit", ms: about(-50) },
      { name: "random-loss", ms: about(900) },
    ],
  },
} as unknown as WhyReport;

test("each cause's bar begins where the previous bar ends, and the last bar is the second side's time", () => {
  const steps = whySteps(report)!;
  assert.deepEqual(
    steps.map(({ label, fromMs, toMs }) => [label, fromMs, toMs]),
    [
      ["h1", 0, 2000],
      ["Random loss", 2000, 2900],
      ["The limit of the bottleneck's queue", 2900, 2850],
      ["rest", 2850, 3000],
      ["h2", 0, 3000],
    ],
  );
});

test("the chart and its CSV contain each cause", () => {
  const svg = whySvg(report)!;
  for (const text of ["Random loss", "+900", "−50", "h1", "2000", "3000"]) assert.ok(svg.includes(text), text);
  assert.match(
    whyCsv(report),
    /^label,fromMs,toMs,low95Ms,high95Ms\nh1,0,2000,1990,2010\nRandom loss,2000,2900,890,910\n/,
  );
});

test("a quick run has no shares, so it has no chart, and its CSV is only a header", () => {
  const causes = [{ name: "random-loss", ms: null }];
  const quick = { ...report, estimates: { ...report.estimates, causes } } as unknown as WhyReport;
  assert.equal(whySvg(quick), null);
  assert.equal(whyCsv(quick), "label,fromMs,toMs,low95Ms,high95Ms\n");
});
