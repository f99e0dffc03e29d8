/** Draws a waterfall chart from one side's time to the other side's time, with a step for each cause. */
import * as Plot from "@observablehq/plot";
import { colourOf, fontPx, grey, gridColour, ink, widthOf } from "../figures/style.ts";
import { svgOf } from "../figures/svg.ts";
import { csvOf } from "../tables/csv.ts";
import type { Measured } from "./estimates.ts";
import { causeNamed } from "./registry.ts";
import type { WhyReport } from "./why-report.ts";

/** A bar of the chart: a side's time, or the time that a cause or the rest adds. */
interface Step {
  label: string;
  fromMs: number;
  toMs: number;
  measured: Measured;
  isSide: boolean;
}

/** @returns the chart's bars; null for a quick run, whose causes have no shares */
export function whySteps({ sides, estimates }: WhyReport): Step[] | null {
  const { sidesMs, restMs, causes } = estimates;
  const steps: Step[] = [{ label: sides[0], fromMs: 0, toMs: sidesMs[0].value, measured: sidesMs[0], isSide: true }];
  const sorted = [...causes].sort((a, b) => Math.abs(b.ms?.value ?? 0) - Math.abs(a.ms?.value ?? 0));
  const added = [
    ...sorted.map(({ name, ms }) => ({ label: causeNamed(name, "why").title, ms })),
    { label: "rest", ms: restMs },
  ];
  for (const { label, ms } of added) {
    if (!ms) return null;
    const { toMs: fromMs } = steps.at(-1)!;
    steps.push({ label, fromMs, toMs: fromMs + ms.value, measured: ms, isSide: false });
  }
  return [...steps, { label: sides[1], fromMs: 0, toMs: sidesMs[1].value, measured: sidesMs[1], isSide: true }];
}

const [plotWidth, rowHeight] = [460, 34];
const [bottom, right] = [44, 70];
const colours = { side: grey, adds: colourOf(1), takes: colourOf(0) };

export function whySvg(report: WhyReport): string | null {
  const steps = whySteps(report);
  if (!steps) return null;
  const labels = steps.map(({ label }) => label);
  const left = Math.max(...labels.map((label) => widthOf(label))) + 16;
  const colour = ({ isSide, fromMs, toMs }: Step) => colours[isSide ? "side" : toMs > fromMs ? "adds" : "takes"];
  const whiskers = steps.flatMap((step) => {
    const { fromMs, isSide, measured } = step;
    const start = isSide ? 0 : fromMs;
    return measured.interval
      ? [{ ...step, low: measured.interval.low + start, high: measured.interval.high + start }]
      : [];
  });
  const least = Math.min(0, ...whiskers.map(({ low }) => low));
  const most = Math.max(...steps.map(({ toMs }) => toMs), ...whiskers.map(({ high }) => high));
  return svgOf({
    title: report.title,
    caption: [
      `Median page load times, and how much of their difference each cause makes (Shapley values), with 95% intervals: ${report.loads} loads, ${report.blocks} blocks.`,
    ],
    columns: 1,
    panels: [
      {
        title: "",
        width: left + plotWidth + right,
        height: steps.length * rowHeight + bottom,
        plot: {
          marginLeft: left,
          marginRight: right,
          marginTop: 4,
          marginBottom: bottom,
          x: {
            label: "page load time (ms)",
            nice: true,
            domain: [least, most],
          },
          y: { domain: labels, label: null, padding: 0.3 },
          marks: [
            Plot.gridX({ stroke: gridColour, strokeOpacity: 1 }),
            Plot.axisX({
              anchor: "bottom",
              label: "page load time (ms)",
              labelAnchor: "center",
              labelArrow: "none",
              stroke: grey,
              fill: ink,
            }),
            Plot.axisY({ label: null, tickSize: 0, fill: ink, fontSize: fontPx.text }),
            Plot.barX(steps, { x1: "fromMs", x2: "toMs", y: "label", fill: colour }),
            Plot.ruleY(whiskers, { x1: "low", x2: "high", y: "label", stroke: ink, strokeWidth: 1.2 }),
            Plot.text(steps, { x: endOf, y: "label", text: textOf, textAnchor: "start", dx: 6, fill: ink }),
          ],
        },
      },
    ],
    legend: [],
  });
}

const endOf = ({ fromMs, toMs, isSide, measured: { interval } }: Step): number =>
  Math.max(fromMs, toMs, interval ? interval.high + (isSide ? 0 : fromMs) : 0);
const textOf = ({ isSide, measured: { value } }: Step): string =>
  isSide ? `${Math.round(value)}` : `${value > 0 ? "+" : "−"}${Math.abs(Math.round(value))}`;

/** Returns CSV with a line for each bar, in full precision. A quick run has no bars, so its CSV is only the header. */
export const whyCsv = (report: WhyReport): string =>
  csvOf(
    (whySteps(report) ?? []).map(({ label, fromMs, toMs, measured: { interval } }) => ({
      label,
      fromMs,
      toMs,
      low95Ms: interval?.low ?? "",
      high95Ms: interval?.high ?? "",
    })),
    ["label", "fromMs", "toMs", "low95Ms", "high95Ms"],
  );
