/** SVG without a browser: the document that Observable Plot draws in, and the sheet with a figure's plots. */
import * as Plot from "@observablehq/plot";
import { DOMParser } from "linkedom";
import { font, fontPx, ink, widthOf, wrapped } from "./style.ts";

const namespace = "http://www.w3.org/2000/svg";
const document = new DOMParser().parseFromString(`<svg xmlns="${namespace}"/>`, "image/svg+xml") as unknown as Document;

export interface Panel {
  title: string;
  width: number;
  height: number;
  plot: Plot.PlotOptions;
}

export interface LegendEntry {
  label: string;
  symbol(at: { x: number; y: number }): Plot.Markish[];
}

export interface Sheet {
  title: string;
  caption: string[];
  columns: number;
  panels: readonly Panel[];
  /** Rows of entries, wrapped where they are too wide. */
  legend: readonly (readonly LegendEntry[])[];
}

const padding = 12;
const lineHeight = 1.35;
const bold = { "font-weight": 600 };
const [captionGap, panelGap, legendGap] = [6, 14, 8];
const [symbolWidth, entryGap] = [34, 18];

/** Returns the SVG of a sheet, ending with a newline. The same sheet gives the same bytes. */
export function svgOf({ title, caption, columns, panels, legend }: Sheet): string {
  const inner = Math.max(...chunked(panels, columns).map((row) => row.reduce((sum, { width }) => sum + width, 0)));
  const svg = element("svg", {
    xmlns: namespace,
    fill: ink,
    "font-family": font,
    "font-size": fontPx.text,
    role: "img",
  });
  svg.append(
    element("title", {}, [title, ...caption].join(" ")),
    element("rect", { width: "100%", height: "100%", fill: "white" }),
  );
  let top = padding;
  const write = (text: string, sizePx: number, style: Record<string, string | number> = {}) => {
    top += lineHeight * sizePx;
    svg.append(element("text", { x: padding, y: top - 0.3 * sizePx, "font-size": sizePx, ...style }, text));
  };
  for (const line of wrapped(title, inner, fontPx.title)) write(line, fontPx.title, bold);
  top += captionGap;
  for (const line of caption.flatMap((one) => wrapped(one, inner))) write(line, fontPx.text, { fill: "#555555" });
  for (const row of chunked(panels, columns)) {
    top += panelGap;
    const headingTop = top;
    let left = padding;
    for (const { title: heading, width, height, plot } of row) {
      top = headingTop;
      if (heading) write(heading, fontPx.heading, { ...bold, x: left + (plot.marginLeft ?? 0) });
      svg.append(drawn({ ...plot, width, height }, { x: left, y: top }));
      left += width;
    }
    top += Math.max(...row.map(({ height }) => height));
  }
  top += legendGap;
  for (const row of legend.flatMap((entries) => rowsOf(entries, inner))) {
    const height = lineHeight * fontPx.text + 3;
    const marks = row.flatMap(({ label, symbol, x }) => [
      ...symbol({ x: x + symbolWidth / 2 - 2, y: height / 2 }),
      Plot.text([label], { x: [x + symbolWidth], y: [height / 2], textAnchor: "start" }),
    ]);
    const bare = { axis: null, margin: 0, x: { type: "identity" }, y: { type: "identity" } } as const;
    svg.append(drawn({ ...bare, marks, width: inner, height }, { x: padding, y: top }));
    top += height;
  }
  const size = { width: inner + 2 * padding, height: Math.ceil(top) + padding };
  for (const [name, value] of Object.entries(size)) svg.setAttribute(name, String(value));
  svg.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  // Three decimals, because the last bits of a computed number change when code adds in another order.
  return `${svg}\n`.replace(/-?\d+\.\d{4,}/g, (coordinate) => `${Number(Number(coordinate).toFixed(3))}`);
}

/** Draws a plot at its place. Plot's own style sheet is removed, because the document sets the same styles. */
function drawn(plot: Plot.PlotOptions, place: { x: number; y: number }): Element {
  const svg = Plot.plot({ ...plot, document, style: { fontFamily: font, fontSize: `${fontPx.text}px` } });
  svg.querySelector("style")?.remove();
  // A rotated label may begin left of its plot.
  for (const [name, value] of Object.entries({ ...place, overflow: "visible" })) svg.setAttribute(name, String(value));
  return svg;
}

function rowsOf(entries: readonly LegendEntry[], width: number): (LegendEntry & { x: number })[][] {
  const rows: (LegendEntry & { x: number })[][] = [[]];
  let x = 0;
  for (const entry of entries) {
    const wide = symbolWidth + widthOf(entry.label) + entryGap;
    if (x > 0 && x + wide - entryGap > width) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1)!.push({ ...entry, x });
    x += wide;
  }
  return rows;
}

const chunked = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

function element(name: string, attributes: Record<string, string | number>, text = ""): Element {
  const created = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  created.textContent = text;
  return created;
}
