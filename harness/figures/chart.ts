/** Draws a figure with Observable Plot: lines through points with intervals, hollow published points, dashed models. */
import * as Plot from "@observablehq/plot";
import { extent } from "simple-statistics";
import { type Figure, type FigurePoint, hasPlace, isPartial } from "./figure.ts";
import { colourOf, fontPx, grey, gridColour, ink, shapeOf, widthOf, wrapped } from "./style.ts";
import { type LegendEntry, svgOf } from "./svg.ts";
import { xScaleOf } from "./x-scale.ts";

/** The size of a panel in pixels, by the number of panels in a row. */
const panelSizes = [
  { width: 600, height: 340 },
  { width: 300, height: 260 },
  { width: 250, height: 220 },
];
const columnsOf = (panels: number) => (panels === 4 ? 2 : Math.min(panels, panelSizes.length));
const inset = 20;
const margins = { top: 10, right: 14 };
const dashes = { measured: "none", published: "2,3", model: "8,4" };

interface DrawnPoint extends Omit<FigurePoint, "x" | "y"> {
  x: number;
  y: number;
}

export function renderSvg(figure: Figure): string {
  const { points } = figure;
  // Draws the axes even if the run has no points.
  const panels = figure.panels.length ? figure.panels : [""];
  const columns = columnsOf(panels.length);
  const size = panelSizes[columns - 1]!;
  const x = xScaleOf(figure, size.width - 2 * inset);
  const y = { domain: extentOf(figure), nice: true };
  const yTitle = wrapped(titleOf(figure), size.height).join("\n");
  const tickWidth = Math.max(...y.domain.map((value) => widthOf(Math.round(value).toLocaleString("en")))) + 22;
  const marginLeft = tickWidth + fontPx.text * 1.2 * yTitle.split("\n").length + 10;
  // A missing number (NaN) leaves a gap in its line.
  const drawn = points.map(
    (point): DrawnPoint => ({ ...point, x: x.place(point), y: hasPlace(point) ? point.y : NaN }),
  );
  return svgOf({
    title: figure.title,
    caption: figure.caption,
    columns,
    panels: panels.map((panel, i) => {
      const isFirst = i % columns === 0;
      const left = isFirst ? marginLeft : tickWidth;
      return {
        title: panels.length > 1 ? panel : "",
        width: left + size.width + margins.right,
        height: margins.top + size.height + x.marginBottom,
        plot: {
          marginTop: margins.top,
          marginRight: margins.right,
          marginBottom: x.marginBottom,
          marginLeft: left,
          x: { ...x.options, insetLeft: inset, insetRight: inset },
          y,
          marks: [
            Plot.gridY({ stroke: gridColour, strokeOpacity: 1 }),
            Plot.axisY({
              label: isFirst ? yTitle : null,
              labelAnchor: "center",
              labelArrow: "none",
              tickSize: 4,
              stroke: grey,
              fill: ink,
            }),
            x.axis,
            Plot.frame({ anchor: "left", stroke: grey }),
            Plot.frame({ anchor: "bottom", stroke: grey }),
            ...(figure.y.neutral === null ? [] : [Plot.ruleY([figure.y.neutral], { stroke: grey })]),
            ...marksOf(
              figure,
              drawn.filter((point) => point.panel === panel),
            ),
          ],
        },
      };
    }),
    legend: legendOf(figure),
  });
}

const titleOf = ({ y }: Figure) =>
  (y.unit ? `${y.title} (${y.unit})` : y.title).replace(/^./, (first) => first.toUpperCase());

/** Returns the range of y. All panels have the same range, so that readers can compare them. */
function extentOf({ points, y }: Figure): [number, number] {
  const shown = [
    ...points.flatMap((point) => [point.y, point.low, point.high]),
    y.neutral,
    y.fromZero ? 0 : null,
  ].flatMap((value) => (Number.isFinite(value) ? value! : []));
  const [least, most] = shown.length ? extent(shown) : [0, 0];
  return least < most ? [least, most] : [0, 1];
}

function marksOf({ drawn, x: { kind }, series }: Figure, points: readonly DrawnPoint[]): Plot.Markish[] {
  const colour = (point: DrawnPoint) => colourOf(series.indexOf(point.series));
  const symbol = (point: DrawnPoint) => shapeOf(series.indexOf(point.series));
  const of = (source: FigurePoint["source"]) => points.filter((point) => point.source === source);
  const line = { x: "x", y: "y", z: (point: DrawnPoint) => `${point.series} ${point.model}`, stroke: colour };
  if (drawn === "steps") return [Plot.line(points, { ...line, curve: "step-after", strokeWidth: 2 })];
  const lineOf = (source: FigurePoint["source"], strokeWidth: number) =>
    kind === "number" ? [Plot.line(of(source), { ...line, strokeWidth, strokeDasharray: dashes[source] })] : [];
  const dots = { x: "x", y: "y", stroke: colour, symbol };
  const shortLine = { y: "y", x1: ({ x }: DrawnPoint) => x - 0.06, x2: ({ x }: DrawnPoint) => x + 0.06 };
  const withInterval = of("measured").filter(({ low, high }) => Number.isFinite(low) && Number.isFinite(high));
  return [
    ...lineOf("model", 1.4),
    ...(kind === "name" ? [Plot.ruleY(of("model"), { ...shortLine, stroke: colour, strokeWidth: 2 })] : []),
    ...lineOf("published", 1.2),
    Plot.dot(of("published"), { ...dots, fill: "white", r: 3.9, strokeWidth: 1.6 }),
    Plot.ruleX(withInterval, { x: "x", y1: "low", y2: "high", stroke: colour, strokeWidth: 1.5 }),
    ...lineOf("measured", 2),
    Plot.dot(of("measured"), { ...dots, fill: colour, r: 4.2, opacity: (point) => (isPartial(point) ? 0.4 : 1) }),
  ];
}

/** Returns a row for the series, if there are several, and a row for measured, published and modelled numbers, if there are several kinds. */
function legendOf({ drawn, series, points, publishedSource, x: { kind } }: Figure): LegendEntry[][] {
  const ofSeries = series.map(
    (label): LegendEntry => ({
      label,
      symbol: ({ x, y }) => {
        const [colour, symbol] = [colourOf(series.indexOf(label)), shapeOf(series.indexOf(label))];
        return drawn === "steps"
          ? [stroke(x, y, { stroke: colour, strokeWidth: 2 })]
          : [Plot.dot([0], { x: [x], y: [y], fill: colour, stroke: colour, symbol, r: 4.2 })];
      },
    }),
  );
  const names = { measured: "measured here", published: `published (${publishedSource})`, model: "model: " };
  const kinds = new Map(points.map(({ source, model }) => [names[source] + model, source]));
  const ofKinds = [...kinds].map(
    ([label, source]): LegendEntry => ({
      label,
      symbol: ({ x, y }) => [
        ...(kind === "number" || source === "model"
          ? [stroke(x, y, { stroke: ink, strokeDasharray: dashes[source], strokeWidth: 1.5 })]
          : []),
        ...(source === "model"
          ? []
          : [Plot.dot([0], { x: [x], y: [y], r: 3.9, stroke: ink, fill: source === "measured" ? ink : "white" })]),
      ],
    }),
  );
  return [series.length > 1 ? ofSeries : [], ofKinds.length > 1 ? ofKinds : []];
}

const stroke = (x: number, y: number, options: Plot.RuleYOptions) =>
  Plot.ruleY([0], { y: [y], x1: [x - 14], x2: [x + 14], ...options });
