/** Draws the parts as bars: a bar for each condition, a panel for each combination of values that its bars share. */
import * as Plot from "@observablehq/plot";
import { labelOf } from "../../../axes/axis.ts";
import { axes } from "../../../axes/registry.ts";
import type { Values } from "../../../schema/plan.ts";
import { type Part, partColours, partNames } from "../../explain/parts.ts";
import { fontPx, grey, gridColour, ink, widthOf } from "../figures/style.ts";
import { svgOf } from "../figures/svg.ts";
import type { ExplainedCondition, Explanation } from "./summary.ts";

const barHeight = 22;
const width = 560;
const axisHeight = 44;
/** A part that is shorter than this share of the longest bar everywhere is not drawn. */
export const leastShare = 0.01;

interface Stretch {
  panel: string;
  side: string;
  part: Part;
  ms: number;
}

/** @param sides the axes in which a panel's bars differ: those that the experiment's comparisons change */
export function stretchesOf({ conditions }: Explanation, sides: readonly string[]): Stretch[] {
  const varied = axes.map(({ name }) => name).filter((name) => valuesOf(conditions, name).size > 1);
  const words = (of: ExplainedCondition, names: readonly string[]) => wordsOf(of.condition.values, names).join(", ");
  const inPanel = varied.filter((name) => sides.includes(name));
  const ofPanel = varied.filter((name) => !sides.includes(name));
  const longest = Math.max(...conditions.map(({ pageLoadMs }) => pageLoadMs));
  const used = partNames.filter((part) => conditions.some(({ parts }) => parts[part] >= leastShare * longest));
  return conditions.flatMap((one) => {
    const place = { panel: words(one, ofPanel), side: words(one, inPanel) || one.condition.id };
    return used.map((part) => ({ ...place, part, ms: one.parts[part] }));
  });
}

export function explanationSvg(explanation: Explanation, title: string, sides: readonly string[]): string {
  const stretches = stretchesOf(explanation, sides);
  const panels = [...new Set(stretches.map(({ panel }) => panel))];
  const used = [...new Set(stretches.map(({ part }) => part))];
  const longest = Math.max(
    ...explanation.conditions.map(({ parts }) => Object.values(parts).reduce((sum, ms) => sum + ms, 0)),
  );
  const marginLeft = Math.max(...stretches.map(({ side }) => widthOf(side))) + 16;
  return svgOf({
    title: "Where the time goes",
    caption: [title, "What the load event waited for, back to the start; parts add up to page load time (medians)."],
    columns: 1,
    panels: panels.map((panel, i) => {
      const own = stretches.filter((one) => one.panel === panel);
      const bars = new Set(own.map(({ side }) => side));
      const isLast = i === panels.length - 1;
      const marginBottom = isLast ? axisHeight : 0;
      return {
        title: panel,
        width: marginLeft + width,
        height: bars.size * barHeight + marginBottom,
        plot: {
          marginTop: 0,
          marginRight: 24,
          marginBottom,
          marginLeft,
          x: { domain: [0, longest], nice: true, axis: null },
          y: { type: "band", domain: [...bars], padding: 0.25 },
          marks: [
            Plot.gridX({ stroke: gridColour, strokeOpacity: 1 }),
            ...(isLast ? [xAxis] : []),
            Plot.axisY({ label: null, tickSize: 0, fill: ink }),
            Plot.barX(own, { x: "ms", y: "side", fill: ({ part }: Stretch) => colourOf(part) }),
          ],
        },
      };
    }),
    legend: [
      used.map((part) => ({
        label: part,
        symbol: ({ x, y }) => [
          Plot.dot([part], { x: [x], y: [y], symbol: "square", r: fontPx.text / 2, fill: colourOf(part) }),
        ],
      })),
    ],
  });
}

const xAxis = Plot.axisX({
  label: "Page load time, ms",
  labelAnchor: "center",
  labelArrow: "none",
  labelOffset: 36,
  tickSize: 4,
  stroke: grey,
  fill: ink,
});

const colourOf = (part: Part) => partColours[part].light;

const valuesOf = (conditions: readonly ExplainedCondition[], name: string) =>
  new Set(conditions.map(({ condition: { values } }: { condition: { values: Values } }) => values[name]));

const wordsOf = (values: Values, names: readonly string[]): string[] =>
  axes.flatMap((axis) => (names.includes(axis.name) ? [labelOf(axis, values[axis.name]!)] : []));
