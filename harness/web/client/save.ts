/** What is drawn, as an SVG file: for a paper or a slide. The page's variables mean nothing in a file, so what they are now is written into it. */

const styled = [
  "fill",
  "stroke",
  "stroke-width",
  "opacity",
  "fill-opacity",
  "stroke-opacity",
  "font-size",
  "font-family",
  "text-anchor",
];
const namespace = "http://www.w3.org/2000/svg";

/** A figure's drawing or, where it is a table of colours, that. */
export function saveFigure(figure: HTMLElement | null, name: string): void {
  const [drawing, table] = [figure?.querySelector("svg"), figure?.querySelector("table")];
  if (drawing) download(copyOf(drawing), name);
  else if (table) download(drawingOf(table), name);
}

function copyOf(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  for (const [i, element] of [copy, ...copy.querySelectorAll<SVGElement>("*")].entries()) {
    const style = getComputedStyle(originals[i]!);
    for (const property of styled) element.setAttribute(property, style.getPropertyValue(property));
  }
  return copy;
}

/** Each cell as a rectangle, and each run of text, where the page has them. */
export function drawingOf(table: HTMLTableElement): SVGSVGElement {
  const frame = table.getBoundingClientRect();
  const svg = element("svg", {
    width: frame.width,
    height: frame.height,
    "font-family": "sans-serif",
  }) as SVGSVGElement;
  svg.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  for (const cell of table.querySelectorAll("th, td")) {
    const { left, top, width, height } = cell.getBoundingClientRect();
    const fill = getComputedStyle(cell).backgroundColor;
    if (fill !== "rgba(0, 0, 0, 0)")
      svg.append(element("rect", { x: left - frame.left, y: top - frame.top, width, height, rx: 3, fill }));
    svg.append(...textsIn(cell).map((text) => writingOf(text, frame)));
  }
  return svg;
}

function textsIn(cell: Element): Text[] {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts.filter(({ data }) => data.trim());
}

function writingOf(text: Text, frame: DOMRect): Element {
  const range = document.createRange();
  range.selectNodeContents(text);
  const { left, top, width, height } = range.getBoundingClientRect();
  const { color, fontSize, fontWeight, fontStyle } = getComputedStyle(text.parentElement!);
  const writing = element("text", {
    x: left - frame.left + width / 2,
    y: top - frame.top + height / 2,
    fill: color,
    "font-size": fontSize,
    "font-weight": fontWeight,
    "font-style": fontStyle,
    "text-anchor": "middle",
    "dominant-baseline": "central",
  });
  writing.textContent = text.data;
  return writing;
}

function element(name: string, attributes: Record<string, string | number>): Element {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

function download(svg: SVGSVGElement, name: string): void {
  svg.setAttribute("xmlns", namespace);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }));
  link.download = `${name.replace(/[^\w.-]+/g, "-")}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
