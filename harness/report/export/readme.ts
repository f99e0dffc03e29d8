/** A run for a README: its mean gains, a case a line, and what they rest on. */
import { alignedTable } from "../tables/format.ts";
import type { Gain } from "../tables/gains.ts";
import type { TablesReport } from "../tables/report.ts";

/** Closer to 1 than this is the same for a reader of times. */
const same = 0.02;

/** @param gains those of the report that are wanted @param link of the title @param nameOf a case, by its id */
export function readmeMarkdown(
  { title, metric, clock, counts, cases }: Pick<TablesReport, "title" | "metric" | "clock" | "counts" | "cases">,
  gains: readonly Gain[],
  link: string,
  nameOf: (id: string) => string,
): string {
  const lines = cases.flatMap(({ case: id }) => {
    const values = gains.flatMap((gain) => (gain.case === id && gain.gain !== null ? [gain.gain] : []));
    if (values.length === 0) return [];
    const mean = values.reduce((sum, gain) => sum + gain, 0) / values.length;
    const [faster, slower] = [values.filter((gain) => gain > 1 + same), values.filter((gain) => gain < 1 - same)];
    const figures = [mean, Math.min(...values), Math.max(...values)].map((gain) => gain.toFixed(2));
    return [[nameOf(id), ...figures, `${faster.length} of ${values.length}`, `${slower.length} of ${values.length}`]];
  });
  const heads = ["times as fast", "mean", "least", "most", "faster in", "slower in"];
  const basis = `${metric}, ${counts.loads} of ${counts.plannedLoads} loads in ${counts.blocks} ${counts.blocks === 1 ? "block" : "blocks"}, ${clock} clock`;
  return `[${title}](${link}): ${basis}.\n\n${alignedTable([heads, ...lines], 1)}\n`;
}
