/** What was asked, and what stands behind a figure's points, in words. */
import type { Clock } from "../../../schema/records.ts";
import type { Cases } from "../../plan/comparisons.ts";
import type { FigureSpec } from "../../plan/figures.ts";
import type { RunCounts } from "../tables/counted.ts";
import { sideLabel } from "../tables/medians.ts";
import { filterLabel } from "../tables/setting.ts";
import type { DrawnExperiment, FigurePoint } from "./figure.ts";

interface Behind extends RunCounts {
  clock: Clock;
  run: string;
  noIntervals: string | null;
}

export function captionOf(
  { title, source, base }: DrawnExperiment,
  cases: Cases,
  spec: FigureSpec,
  measured: readonly FigurePoint[],
  { blocks, loads, plannedLoads, flagged, clock, run, noIntervals }: Behind,
): string[] {
  const titles = Object.values(cases).map((one) => one.title);
  const compared = spec.quantity === "value" ? "" : `${titles.join("; ")} against ${sideLabel(base)}. `;
  const where = spec.where ? `Only ${filterLabel(spec.where)}. ` : "";
  const settings = [...new Set(measured.map((point) => point.settings ?? 0))].sort((a, b) => a - b);
  const most = settings.at(-1) ?? 0;
  const each = settings.length > 1 ? `${settings[0]} to ${most}` : `${most}`;
  const points = most > 1 ? `A point is the mean of ${each} settings` : "A point is one setting";
  const bars = noIntervals ? `no intervals: ${noIntervals}` : "bars are 95% intervals, by a bootstrap over blocks";
  return [
    `${title} (${source}).`,
    `${compared}${where}`.trim(),
    `${points}; ${bars}.`,
    `Run ${run}: ${blocks} ${blocks === 1 ? "block" : "blocks"}, ${loads} of ${plannedLoads} loads${flagged ? `, ${flagged} flagged` : ""}; ${clock} clock.`,
  ].filter((line) => line !== "");
}
