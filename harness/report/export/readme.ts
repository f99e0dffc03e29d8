/** A run for a README: its speedups' geometric means, a comparison a line, and what they rest on. */
import { logAverage } from "simple-statistics";
import { alignedTable } from "../tables/format.ts";
import type { TablesReport } from "../tables/report.ts";
import type { Speedup } from "../tables/speedups.ts";

/** Closer to 1 than this is the same for a reader of times. */
const same = 0.02;

/** @param speedups those of the report that are wanted @param link of the title @param nameOf a comparison, by its id */
export function readmeMarkdown(
  {
    title,
    metric,
    clock,
    counts,
    comparisons,
  }: Pick<TablesReport, "title" | "metric" | "clock" | "counts" | "comparisons">,
  speedups: readonly Speedup[],
  link: string,
  nameOf: (id: string) => string,
): string {
  const lines = comparisons.flatMap(({ comparison: id }) => {
    const values = speedups.flatMap((speedup) =>
      speedup.comparison === id && speedup.speedup !== null ? [speedup.speedup] : [],
    );
    if (values.length === 0) return [];
    const [faster, slower] = [
      values.filter((speedup) => speedup > 1 + same),
      values.filter((speedup) => speedup < 1 - same),
    ];
    const figures = [logAverage(values), Math.min(...values), Math.max(...values)].map((speedup) => speedup.toFixed(2));
    return [[nameOf(id), ...figures, `${faster.length} of ${values.length}`, `${slower.length} of ${values.length}`]];
  });
  const heads = ["times as fast", "geometric mean", "least", "most", "faster in", "slower in"];
  const basis = `${metric}, ${counts.loads} of ${counts.plannedLoads} loads in ${counts.blocks} ${counts.blocks === 1 ? "block" : "blocks"}, ${clock} clock`;
  return `[${title}](${link}): ${basis}.\n\n${alignedTable([heads, ...lines], 1)}\n`;
}
