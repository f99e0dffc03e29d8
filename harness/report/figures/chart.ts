/** A figure as a Vega-Lite specification: lines through points with their intervals, published points hollow, models dashed. */
import type { TopLevelSpec } from "vega-lite";
import { type Figure, type FigurePoint, isPartial } from "./figure.ts";
import { colours, shapes, style } from "./style.ts";

/** Layers, encodings and marks are given as plain data: their types are unions of hundreds of shapes. */
type Plain = Record<string, unknown>;

const panelWidths = [600, 300, 250];
const panelHeights = [340, 260, 220];
const mostColumns = 3;
/** On average: of labels and captions, and of titles. */
const [letterWidth, titleLetterWidth] = [6.5, 9.5];

const columnsOf = (panels: number) => (panels === 4 ? 2 : Math.min(panels, mostColumns));
const panelWidthOf = (panels: number) => panelWidths[columnsOf(panels) - 1]!;
const panelHeightOf = (panels: number) => panelHeights[columnsOf(panels) - 1]!;

export function chartOf(figure: Figure): TopLevelSpec {
  const { title, caption, panels, points } = figure;
  const columns = columnsOf(panels.length);
  const size = { width: panelWidthOf(panels.length), height: panelHeightOf(panels.length) };
  const width = columns * size.width;
  const layers = [...(figure.y.neutral === null ? [] : [neutralLine(figure.y.neutral)]), ...layersOf(figure)];
  const body =
    panels.length > 1
      ? {
          facet: { field: "panel", type: "nominal", sort: panels, title: null },
          columns,
          spec: { ...size, layer: layers },
        }
      : { ...size, layer: layers };
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    description: [title, ...caption].join(" "),
    title: {
      text: wrapped(title, Math.floor(width / titleLetterWidth)),
      subtitle: caption.flatMap((line) => wrapped(line, Math.floor(width / letterWidth))),
    },
    config: style,
    data: { values: points.map((point) => ({ ...point, kind: kindOf(figure, point), partial: isPartial(point) })) },
    ...body,
  } as unknown as TopLevelSpec;
}

/** What a point is, as the legend says it. */
const kindOf = ({ publishedSource }: Figure, { source, model }: FigurePoint): string =>
  source === "measured"
    ? "measured here"
    : source === "published"
      ? `published (${publishedSource})`
      : `model: ${model}`;

const neutralLine = (at: number): Plain => ({
  data: { values: [{}] }, // or there is a line a point
  mark: { type: "rule", color: "#767676", strokeWidth: 1 },
  encoding: { y: { datum: at } },
});

function layersOf(figure: Figure): Plain[] {
  const { x, points } = figure;
  const only = (source: FigurePoint["source"], ...more: string[]) => [
    { filter: [`datum.source === '${source}'`, "datum.y !== null", ...more].join(" && ") },
  ];
  const has = (source: FigurePoint["source"]) => points.some((point) => point.source === source);
  const encoding = encodingOf(figure);
  const { shape, strokeDash, ...line } = encoding;
  const lines = x.kind === "number";
  const sides = { ...line, y: { ...(line.y as Plain), field: "low" }, y2: { field: "high" } };
  if (figure.drawn === "steps") return [{ mark: { type: "line", interpolate: "step-after" }, encoding: line }];
  const measured: Plain[] = [
    ...(points.some(({ low }) => low !== null)
      ? [{ transform: only("measured", "datum.low !== null"), mark: "rule", encoding: sides }]
      : []),
    ...(lines ? [{ transform: only("measured"), mark: "line", encoding: { ...line, strokeDash } }] : []),
    {
      transform: only("measured"),
      mark: { type: "point", filled: true, size: 70 },
      encoding: { ...line, shape, opacity: { condition: { test: "datum.partial", value: 0.4 }, value: 1 } },
    },
  ];
  const published: Plain[] = has("published")
    ? [
        ...(lines
          ? [
              {
                transform: only("published"),
                mark: { type: "line", strokeWidth: 1.2 },
                encoding: { ...line, strokeDash },
              },
            ]
          : []),
        {
          transform: only("published"),
          mark: { type: "point", filled: false, fill: "white", size: 60, strokeWidth: 1.6, opacity: 1 },
          encoding: { ...line, shape },
        },
      ]
    : [];
  const models: Plain[] = has("model")
    ? [
        {
          transform: only("model"),
          mark: lines ? { type: "line", strokeWidth: 1.4 } : { type: "tick", thickness: 2 },
          encoding: { ...line, strokeDash },
        },
      ]
    : [];
  return [...models, ...published, ...measured];
}

function encodingOf(figure: Figure): Record<string, Plain> {
  const { y, series, points } = figure;
  const kinds = [...new Set(points.map((point) => kindOf(figure, point)))];
  const several = series.length > 1;
  const legend = { title: null, orient: "bottom", direction: "horizontal", columns: 4, columnPadding: 24 };
  const bySeries = (range: string[]): Plain => ({
    field: "series",
    type: "nominal",
    sort: series,
    scale: { domain: series, range: series.map((_, i) => range[i % range.length]!) },
    legend: several ? legend : null,
  });
  return {
    ...xOf(figure),
    y: {
      field: "y",
      type: "quantitative",
      title: wrapped(
        capitalised(y.unit ? `${y.title} (${y.unit})` : y.title),
        Math.floor(panelHeightOf(figure.panels.length) / letterWidth),
      ),
      axis: { grid: true },
      scale: { zero: y.fromZero, nice: true },
    },
    color: bySeries(colours),
    shape: bySeries(shapes),
    strokeDash: {
      field: "kind",
      type: "nominal",
      sort: kinds,
      scale: {
        domain: kinds,
        range: kinds.map((kind) =>
          kind === "measured here" ? [1, 0] : kind.startsWith("published") ? [2, 3] : [8, 4],
        ),
      },
      legend: kinds.length > 1 ? { ...legend, symbolType: "stroke", symbolSize: 500 } : null,
    },
  };
}

/** In lines of so many letters at most. */
const wrapped = (text: string, letters: number): string[] =>
  [...text.matchAll(new RegExp(`(\\S.{0,${letters - 1}})(?: |$)`, "g"))].map(([, line]) => line!);

const capitalised = (text: string) => text.replace(/^./, (first) => first.toUpperCase());

/** Names stand side by side, and so do the series above each. */
function xOf({ x, series, panels }: Figure): Record<string, Plain> {
  const labels = Object.fromEntries(x.ticks.map(({ value, label }) => [value, label]));
  const letters = x.ticks.reduce((sum, { label }) => sum + label.length + 2, 0);
  const crowded = x.kind === "name" && letters * letterWidth > panelWidthOf(panels.length);
  const axis = {
    title: wrapped(x.title, Math.floor(panelWidthOf(panels.length) / letterWidth)),
    ...(x.ticks.length ? { labelExpr: `${JSON.stringify(labels)}[datum.value] || ''` } : {}),
    ...(crowded ? { labelAngle: -40 } : { labelOverlap: "greedy" }),
  };
  const field = { field: "x", axis };
  if (x.kind === "name")
    return {
      x: { ...field, type: "nominal", sort: x.ticks.map(({ value }) => value), scale: { paddingInner: 0.3 } },
      ...(series.length > 1 ? { xOffset: { field: "series", type: "nominal", sort: series } } : {}),
    };
  const values = x.ticks.map(({ value }) => value as number);
  const scale = { type: x.scale, ...(x.scale === "log" ? {} : { zero: false }) };
  return {
    x: {
      ...field,
      type: "quantitative",
      axis: { ...field.axis, ...(values.length ? { values } : {}) },
      scale: { ...scale, nice: false, padding: 20 },
    },
  };
}
