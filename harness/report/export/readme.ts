/** Prints a run for a README: the geometric mean of each comparison's speedups in a line, and the number of loads. */
import { logAverage } from "simple-statistics";
import { alignedTable } from "../tables/format.ts";
import type { TablesReport } from "../tables/report.ts";
import type { Speedup } from "../tables/speedups.ts";

/** Speedups closer to 1 than this count neither as faster nor as slower. */
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
