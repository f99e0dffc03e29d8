/** A figure: a drawing that can be saved as SVG, for a paper or a slide. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface Figure {
  title: string;
  /** Of the file it is saved as. */
  name: string;
  children: ComponentChildren;
}

export function Figure({ title, name, children }: Figure) {
  const figure = useRef<HTMLElement>(null);
  return (
    <figure ref={figure} class="plot">
      <figcaption>
        <span>{title}</span>
        <button
          type="button"
          onClick={() => save(figure.current?.querySelector("svg"), name)}
          aria-label={`Save “${title}” as SVG`}
        >
          SVG
        </button>
      </figcaption>
      {children}
    </figure>
  );
}

/** What Observable Plot draws, as wide as there is room. */
export function Drawn({ draw, by }: { draw(width: number): Element; by: unknown[] }) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  useEffect(() => {
    if (width > 0) place.current?.replaceChildren(draw(width));
  }, [width, ...by]);
  return <div ref={place} />;
}

export function useWidth(place: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    watcher.observe(place.current!);
    return () => watcher.disconnect();
  }, []);
  return width;
}

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

/** The page's variables mean nothing in a file: what they are now is written into each element. */
function save(svg: SVGSVGElement | null | undefined, name: string): void {
  if (!svg) return;
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  for (const [i, element] of [copy, ...copy.querySelectorAll<SVGElement>("*")].entries()) {
    const style = getComputedStyle(originals[i]!);
    for (const property of styled) element.setAttribute(property, style.getPropertyValue(property));
  }
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  link.download = `${name.replace(/[^\w.-]+/g, "-")}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
