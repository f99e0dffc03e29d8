/** Figures of cumulative distributions like those in the Yahoo! CDN's paper, with one line for each capture. */
import { extent } from "simple-statistics";
import type { Figure } from "../harness/figures/figure.ts";
import { quantities, type TraceQuantity } from "./quantities.ts";
import type { NamedTrace } from "./trace-markdown.ts";

export const traceFigures = (traces: readonly NamedTrace[]): Figure[] =>
  quantities.flatMap((quantity) => {
    const drawn = traces.filter(({ trace }) => trace[quantity.id].weight > 0);
    return drawn.length ? [figureOf(quantity, drawn)] : [];
  });

function figureOf({ id, figure, title, unit, of, scale }: TraceQuantity, traces: readonly NamedTrace[]): Figure {
  const points = traces.flatMap(({ name, trace }) => {
    const curve = trace[id].curve().map(({ value, share }) => ({ x: value, y: 100 * share }));
    // Each curve starts at 0%. A curve over percentages (linear axis) spans the whole axis.
    const [before, after] =
      scale === "linear" ? [{ x: 0, y: 0 }, [{ x: 100, y: 100 }]] : [{ x: curve[0]!.x, y: 0 }, []];
    return [before, ...curve, ...after].map((at) => ({ ...pointOf(name), ...at }));
  });
  const capitalised = title.replace(/^./, (first) => first.toUpperCase());
  const own = scale === "log" && points.some(({ x }) => x <= 0) ? "symlog" : scale;
  return {
    id: `fig-${figure}-${id}`,
    drawn: "steps",
    title: capitalised,
    caption: [
      `As Figure ${figure} of "Overclocking the Yahoo! CDN" (IMC 2011).`,
      `${traces.map(({ name, trace }) => `${name}: ${trace[id].weight.toLocaleString("en")} ${of}`).join("; ")}.`,
    ],
    x: {
      title: unit ? `${capitalised} (${unit})` : capitalised,
      kind: "number",
      scale: own,
      ticks:
        own === "linear"
          ? []
          : decades(points.map(({ x }) => x)).map((value) => ({ value, label: value.toLocaleString("en") })),
    },
    y: { title: `cumulative share of ${of}`, unit: "%", neutral: null, fromZero: true },
    panels: [""],
    series: traces.map(({ name }) => name),
    publishedSource: null,
    points,
  };
}

const pointOf = (series: string) => ({
  source: "measured" as const,
  model: "",
  panel: "",
  series,
  low: null,
  high: null,
});

/** Ticks at positive and negative powers of ten, and at 2 and 5 times these powers if fewer than four of them are in range. */
function decades(values: readonly number[]): number[] {
  const [least, most] = extent(values);
  const powers = Array.from({ length: 16 }, (_, i) => 10 ** (i - 3)).filter((power) => power >= 1 || least > 0);
  const inside = (all: number[]) =>
    [...all.map((one) => -one).reverse(), 0, ...all].filter((value) => value >= least && value <= most);
  const few = inside(powers).length < 4;
  return inside(few ? powers.flatMap((power) => [power, 2 * power, 5 * power]) : powers);
}
