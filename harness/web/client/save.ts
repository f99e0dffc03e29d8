/** Saves a drawing as an SVG file, for a paper or a slide, with the current values of the page's CSS variables. */

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

export function saveFigure(figure: HTMLElement | null, name: string): void {
  const drawing = figure?.querySelector("svg");
  if (drawing) download(copyOf(drawing), name);
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

function download(svg: SVGSVGElement, name: string): void {
  svg.setAttribute("xmlns", namespace);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }));
  link.download = `${name.replace(/[^\w.-]+/g, "-")}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
