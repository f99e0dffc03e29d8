/** A figure's caption: what is compared, which mean each point shows, and how many loads the points are computed from. */
import { counted } from "../../schema/words.ts";
import type { Comparisons } from "../plan/comparisons.ts";
import type { FigureSpec } from "../plan/figures.ts";
import { tooFewBlocks } from "../statistics/resample.ts";
import type { RunCounts } from "../tables/counted.ts";
import { flaggedInWords } from "../tables/format.ts";
import { sideLabel } from "../tables/medians.ts";
import type { RunFacts } from "../tables/report.ts";
import { filterLabel } from "../tables/scenario.ts";
import { type DrawnExperiment, type FigurePoint, isLowerBound, isPartial } from "./figure.ts";

export function captionOf(
  { title, source, baseline }: DrawnExperiment,
  compared: Comparisons,
  spec: FigureSpec,
  measured: readonly FigurePoint[],
  { blocks, loads, plannedLoads, flagged }: RunCounts,
  { clock, run, definedBy = "" }: Pick<RunFacts, "clock" | "definedBy"> & { run: string },
): string[] {
  const titles = Object.values(compared).map((one) => one.title);
  const baselines = new Set(Object.values(compared).map((one) => sideLabel(one.baseline ?? baseline)));
  const against = spec.quantity === "value" ? "" : `${titles.join("; ")} against ${[...baselines].join("; ")}. `;
  const whole = [filterLabel(spec.where ?? {}), ...onlyOf(measured)].filter((words) => words !== "");
  const where = whole.length ? `Only ${whole.join(", ")}. ` : "";
  const counts = measured.map((point) => point.scenarios ?? 0).filter((count) => count > 0);
  const scenarios = [...new Set(counts)].sort((a, b) => a - b);
  const most = scenarios.at(-1) ?? 0;
  const each = scenarios.length > 1 ? `${scenarios[0]} to ${most}` : `${most}`;
  const mean = spec.quantity === "speedup" ? "geometric mean" : "mean";
  const points = most > 1 ? `A point is the ${mean} of ${each} scenarios` : "A point is one scenario";
  const pale = measured.some(isPartial) ? " Pale points lack scenarios." : "";
  const beyond = measured.some(isLowerBound)
    ? " Where only a lower bound is known, because loads never ended or were not fully observed, there is no point."
    : "";
  const noIntervals = tooFewBlocks(blocks);
  const bars = noIntervals ? `no intervals: ${noIntervals}` : "bars are 95% intervals, by a bootstrap over blocks";
  return [
    `${title} (${source}).`,
    `${against}${where}`.trim(),
    `${points}; ${bars}.${pale}${beyond}`,
    `Run ${run}: ${counted(blocks, "block")}, ${loads} of ${counted(plannedLoads, "load")}${flagged ? `, ${flaggedInWords(flagged)}` : ""}; ${clock} clock.`,
    definedBy,
  ].filter((line) => line !== "");
}

/** Returns the values that all points share and that neither a panel nor the legend names. */
const onlyOf = (points: readonly FigurePoint[]): string[] =>
  (["panel", "series"] as const).flatMap((key) => {
    const names = new Set(points.map((point) => point[key]));
    return names.size === 1 ? [...names] : [];
  });
