/** Makes a figure's x axis for Observable Plot. Numbers are drawn to scale. Names are at equal distances, with their series side by side. */
import * as Plot from "@observablehq/plot";
import { extent } from "simple-statistics";
import type { Figure, FigurePoint } from "./figure.ts";
import { fontPx, grey, ink, widthOf, wrapped } from "./style.ts";

interface XScale {
  options: Plot.ScaleOptions;
  axis: Plot.Markish;
  marginBottom: number;
  place(point: Pick<FigurePoint, "x" | "series">): number;
}

const tickRoom = 26;
const leastTickGap = 6;
/** On an axis of names, the series of a name take up this share of the name's width. */
const seriesShare = 0.7;

/** A factor that allows for space between labels, and for labels that are wider than estimated: digits are wider than the average character. */
const labelMargin = 1.15;

/** @param width the width of the area with points, in pixels */
export function xScaleOf(figure: Figure, width: number): XScale {
  const { x } = figure;
  const { ticks, domain, place } = x.kind === "name" ? namesOf(figure) : numbersOf(figure, width);
  const labels = new Map(ticks.map(({ at, label }) => [at, label]));
  const isCrowded = x.kind === "name" && ticks.some(({ label }) => labelMargin * widthOf(label) > width / ticks.length);
  const longest = Math.max(...ticks.map(({ label }) => widthOf(label)), 0);
  const tickHeight = isCrowded ? 20 + longest * Math.sin(Math.PI / 4.5) : tickRoom;
  const title = wrapped(x.title, width);
  const titleHeight = 1.2 * fontPx.text * title.length;
  return {
    place,
    options: { type: x.kind === "name" ? "linear" : x.scale, domain },
    marginBottom: tickHeight + titleHeight + 6,
    axis: Plot.axisX(ticks.length ? ticks.map(({ at }) => at) : undefined, {
      ...(ticks.length ? { text: (at: number) => labels.get(at) ?? "" } : {}),
      ...(isCrowded ? { tickRotate: -40 } : {}),
      label: title.join("\n"),
      labelAnchor: "center",
      labelArrow: "none",
      labelOffset: tickHeight + titleHeight,
      tickSize: 4,
      stroke: grey,
      fill: ink,
    }),
  };
}

function namesOf({ x: { ticks }, series }: Figure) {
  const places = new Map(ticks.map(({ value }, i) => [value, i]));
  const step = seriesShare / series.length;
  return {
    ticks: ticks.map(({ label }, at) => ({ at, label })),
    domain: [-0.5, ticks.length - 0.5],
    place: ({ x, series: name }: Pick<FigurePoint, "x" | "series">) =>
      places.get(x)! + step * (series.indexOf(name) - (series.length - 1) / 2),
  };
}

/** Leaves out labels that would overlap, such as 3 and 6 next to 1 on a scale to 300. */
function numbersOf({ x, points }: Figure, width: number) {
  const numbers = [...points.map((point) => point.x as number), ...x.ticks.map(({ value }) => value as number)];
  const [least, most] = numbers.length ? extent(numbers) : [0, 0];
  const alone = numbers[0] ?? 1;
  const domain: [number, number] = least < most ? [least, most] : [alone - 1, alone + 1];
  const pixels = Plot.scale({ x: { type: x.scale, domain, range: [0, width] } });
  let freePx = -Infinity;
  const ticks = x.ticks.map(({ value, label }) => {
    const [at, half] = [pixels.apply(value) as number, widthOf(label) / 2];
    const fits = at - half >= freePx;
    if (fits) freePx = at + half + leastTickGap;
    return { at: value as number, label: fits ? label : "" };
  });
  return { ticks, domain, place: (point: Pick<FigurePoint, "x">) => point.x as number };
}
