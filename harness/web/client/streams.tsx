/** A load's responses on the waterfall's time axis: when their bytes arrived, and which bytes waited for a lost packet. */
import * as Plot from "@observablehq/plot";
import { type StreamView, waits } from "../data/stream-view.ts";
import { Drawn, Legend } from "./plot.tsx";
import { barOptions, inRows } from "./time-axis.ts";

/** The kinds of files, each with a colour in design.css, similar to the kind's colour in browsers' developer tools. */
const kinds = [
  { kind: "document", is: /(\.html?|\/)$/ },
  { kind: "script", is: /\.m?js$/ },
  { kind: "style", is: /\.css$/ },
  { kind: "font", is: /\.(woff2?|ttf|otf)$/ },
  { kind: "image", is: /\.(jpe?g|png|gif|webp|avif|svg|ico)$/ },
] as const;
const kindOf = (path: string) => kinds.find(({ is }) => is.test(path.split("?")[0]!))?.kind ?? "other";

interface Drawing {
  streams: readonly StreamView[];
  paths: readonly string[];
  endMs: number;
}

export function Streams(drawing: Drawing) {
  const { streams, paths } = drawing;
  const used = [...new Set(streams.map(({ path }) => kindOf(paths[path]!)))];
  const waited = new Set(streams.flatMap(({ wait }) => wait));
  return (
    <>
      <Legend entries={used.map((kind) => ({ name: kind, colour: `var(--kind-${kind})` }))}>
        {waited.has(waits.own) && (
          <span>
            <i class="hatched" />
            waited for a lost packet of its own response
          </span>
        )}
        {waited.has(waits.other) && (
          <span>
            <i class="hatched bad" />
            waited for a lost packet of another response (head-of-line blocking)
          </span>
        )}
      </Legend>
      <Drawn draw={(width) => drawStreams(drawing, width)} by={[streams]} />
    </>
  );
}

function drawStreams({ streams, paths, endMs }: Drawing, width: number): Element {
  const bars = streams.flatMap(({ path, from, to, wait }, row) =>
    from.map((tenths, i) => ({
      row,
      fromMs: tenths / 10,
      toMs: to[i]! / 10,
      colour: colourOf(wait[i]!, paths[path]!),
      title: titleOf(paths[path]!, wait[i]!, tenths / 10, to[i]! / 10),
    })),
  );
  return Plot.plot({
    ...inRows(width, streams.length),
    ariaLabel: "Bytes of responses by stream over time",
    x: { domain: [0, endMs], axis: "top", label: null, tickFormat: (ms: number) => `${Math.round(ms)} ms` },
    marks: [
      hatches,
      Plot.gridX({ stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.rect(bars, { ...barOptions, fill: ({ colour }: { colour: string }) => colour }),
    ],
  });
}

const colourOf = (wait: number, path: string): string => {
  if (wait === waits.other) return "url(#blocked)";
  return wait === waits.own ? "url(#waited)" : `var(--kind-${kindOf(path)})`;
};

const whyWaited: Record<number, string> = {
  [waits.own]: "waited for a lost packet of this response",
  [waits.other]: "waited for a lost packet of another response",
};
const titleOf = (path: string, wait: number, fromMs: number, toMs: number) =>
  `${path}: ${whyWaited[wait] ?? "arrived and read"}, ${fromMs} to ${toMs} ms`;

/** Makes the patterns for bars whose bytes waited. */
function hatches(): SVGElement {
  const defs = svg("defs", {});
  for (const [id, colour] of [
    ["waited", "var(--quiet)"],
    ["blocked", "var(--bad)"],
  ] as const) {
    const size = { width: "4", height: "4", patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
    const pattern = svg("pattern", { id, ...size });
    pattern.append(svg("rect", { width: "2", height: "4", style: `fill: ${colour}` }));
    defs.append(pattern);
  }
  return defs;
}

function svg(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
