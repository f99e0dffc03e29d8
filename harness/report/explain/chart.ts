/** Where the time goes, as bars: a row a condition, a panel for each setting of all that its sides share. */
import type { TopLevelSpec } from "vega-lite";
import { labelOf } from "../../../axes/axis.ts";
import { axes } from "../../../axes/registry.ts";
import type { Values } from "../../../schema/plan.ts";
import { type Part, partNames } from "../../explain/parts.ts";
import { style } from "../figures/style.ts";
import { partColours } from "./part-colours.ts";
import type { ExplainedCondition, Explanation } from "./summary.ts";

const barHeight = 22;
const width = 560;
/** Of the longest bar: what is less has no word in the legend. */
const leastShare = 0.01;

/** @param sides the axes that tell a panel's bars apart: those that the experiment's cases change */
export function explanationChart({ conditions }: Explanation, title: string, sides: readonly string[]): TopLevelSpec {
  const varied = axes.map(({ name }) => name).filter((name) => valuesOf(conditions, name).size > 1);
  const words = (of: ExplainedCondition, names: readonly string[]) => wordsOf(of.condition.values, names).join(", ");
  const inPanel = varied.filter((name) => sides.includes(name));
  const ofPanel = varied.filter((name) => !sides.includes(name));
  const longest = Math.max(...conditions.map(({ pageLoadMs }) => pageLoadMs));
  const used = partNames.filter((part) => conditions.some(({ parts }) => parts[part] >= leastShare * longest));
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    description: `${title}: where the time goes`,
    title: {
      text: "Where the time goes",
      subtitle: [title, "What the load event waited for, back to the start; parts add up to page load time (medians)."],
    },
    config: style,
    data: {
      values: conditions.flatMap((one) =>
        used.map((part, order) => ({
          panel: words(one, ofPanel) || "all",
          side: words(one, inPanel) || one.condition.id,
          part,
          order,
          ms: one.parts[part],
        })),
      ),
    },
    facet: {
      row: {
        field: "panel",
        type: "nominal",
        title: null,
        sort: null,
        header: { labelAngle: 0, labelAlign: "left", labelOrient: "top", labelPadding: 2 },
      },
    },
    spacing: 6,
    spec: {
      width,
      height: { step: barHeight },
      mark: { type: "bar", height: barHeight - 6 },
      encoding: {
        y: { field: "side", type: "nominal", sort: null, title: null, axis: { domain: false, ticks: false } },
        x: { field: "ms", type: "quantitative", title: "Page load time, ms", axis: { grid: true } },
        order: { field: "order" },
        color: {
          field: "part",
          type: "nominal",
          sort: used,
          scale: { domain: used, range: used.map((part: Part) => partColours[part][0]) },
          legend: { title: null, orient: "bottom", direction: "horizontal", columns: 5, symbolType: "square" },
        },
      },
    },
  } as unknown as TopLevelSpec;
}

const valuesOf = (conditions: readonly ExplainedCondition[], name: string) =>
  new Set(conditions.map(({ condition: { values } }: { condition: { values: Values } }) => values[name]));

const wordsOf = (values: Values, names: readonly string[]): string[] =>
  axes.flatMap((axis) => (names.includes(axis.name) ? [labelOf(axis, values[axis.name]!)] : []));
