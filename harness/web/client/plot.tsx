/** A figure: a drawing that can be saved as SVG, for a paper or a slide. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { saveFigure } from "./save.ts";

interface Figure {
  title: string;
  /** The name of the SVG file, without its extension. */
  name: string;
  children: ComponentChildren;
}

export function Figure({ title, name, children }: Figure) {
  const figure = useRef<HTMLElement>(null);
  return (
    <figure ref={figure} class="plot">
      <figcaption>
        <span>{title}</span>
        <button type="button" onClick={() => saveFigure(figure.current, name)} aria-label={`Save “${title}” as SVG`}>
          SVG
        </button>
      </figcaption>
      {children}
    </figure>
  );
}

interface Entry {
  name: string;
  colour: string;
  /** The tooltip. */
  title?: string;
}

/** Explains the colours of a drawing. @param children entries with other symbols */
export const Legend = ({ entries, children }: { entries: Entry[]; children?: ComponentChildren }) => (
  <p class="legend">
    {entries.map(({ name, colour, title }) => (
      <span key={name} title={title}>
        <i style={{ "--swatch": colour }} />
        {name}
      </span>
    ))}
    {children}
  </p>
);

/** A drawing by Observable Plot, as wide as its container. */
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
