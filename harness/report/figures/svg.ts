import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { chartOf } from "./chart.ts";
import type { Figure } from "./figure.ts";

/** Where nothing draws, the library takes a letter for 0.8 em wide, and leaves too much room; Helvetica's are 0.54 on average. */
const letterEm = 0.54;
const { textMetrics } = vega as unknown as {
  textMetrics: { width(item: { fontSize?: number }, text: unknown): number };
};
textMetrics.width = ({ fontSize = 11 }, text) => letterEm * fontSize * String(text ?? "").length;

/** The same chart gives the same bytes; ends with a newline. */
export const svgOf = async (chart: TopLevelSpec): Promise<string> =>
  `${await new vega.View(vega.parse(compile(chart).spec), { renderer: "none" }).toSVG()}\n`;

export const renderSvg = (figure: Figure): Promise<string> => svgOf(chartOf(figure));
