/** The parts of the page load time, as bars and as a table. */
import * as Plot from "@observablehq/plot";
import { mean } from "simple-statistics";
import { type Part, partColours, partNames, parts } from "../../explain/parts.ts";
import type { RunView } from "../data/run-view.ts";
import { whole } from "./format.ts";
import { List, number, text } from "./list.tsx";
import { Drawn } from "./plot.tsx";

export interface PartsSide {
  name: string;
  /** The milliseconds of each part, in the order of `partNames`. */
  ms: number[];
}

export const partColour = (name: Part) => `light-dark(${partColours[name].light}, ${partColours[name].dark})`;

/** Returns the mean of each part over the conditions whose parts are known; null if there are none. */
export function meanParts(run: RunView, conditions: readonly (number | null)[]): number[] | null {
  const known = conditions
    .flatMap((place) => (place === null ? [] : [run.conditions[place]!.parts ?? []]))
    .filter((ms) => ms.length);
  return known[0] ? known[0].map((_, part) => mean(known.map((ms) => ms[part]!))) : null;
}

/** A part is left out if, on both sides, it takes less than this share of the longer bar. */
const least = 0.01;

export function PartsBars({ sides }: { sides: [PartsSide, PartsSide] }) {
  const most = Math.max(...sides.map(({ ms }) => ms.reduce((sum, one) => sum + one, 0)));
  const all = partNames.map((name, part) => ({ name, baseline: sides[0].ms[part]!, option: sides[1].ms[part]! }));
  const shown = all.filter(({ baseline, option }) => Math.max(baseline, option) >= least * most);
  return (
    <>
      <Drawn draw={(width) => drawBars(sides, shown, width)} by={sides.flatMap(({ ms }) => ms)} />
      <PartsTable sides={sides} shown={shown} />
    </>
  );
}

interface ShownPart {
  name: Part;
  baseline: number;
  option: number;
}

function drawBars(sides: [PartsSide, PartsSide], shown: readonly ShownPart[], width: number): Element {
  const stretches = sides.flatMap(({ name: side }, i) =>
    shown.map(({ name, baseline, option }) => {
      const ms = i === 0 ? baseline : option;
      return { side, ms, colour: partColour(name), title: `${name}, ${whole(ms)} ms: ${parts[name]}` };
    }),
  );
  return Plot.plot({
    width,
    height: 76,
    margin: 0,
    style: { background: "none", fontFamily: "inherit", fontSize: "12px" },
    ariaLabel: "Where the time goes, both sides",
    x: { axis: null },
    y: { type: "band", axis: null, domain: sides.map(({ name }) => name) },
    color: { type: "identity" }, // otherwise Plot takes light-dark() for a category and assigns another colour
    marks: [
      Plot.barX(stretches, { x: "ms", y: "side", fill: "colour", title: "title", insetTop: 16, insetBottom: 2 }),
      Plot.text(sides, {
        x: 0,
        y: "name",
        text: ({ name, ms }: PartsSide) => `${name}: ${whole(ms.reduce((sum, one) => sum + one, 0))} ms`,
        textAnchor: "start",
        dy: -10,
      }),
    ],
  });
}

function PartsTable({ sides, shown }: { sides: [PartsSide, PartsSide]; shown: readonly ShownPart[] }) {
  return (
    <List
      columns={[text("where the time goes, ms"), ...sides.map(({ name }) => number(name)), number("saved")]}
      rows={shown.map(({ name, baseline, option }) => ({
        key: name,
        title: parts[name],
        cells: [
          <>
            <i style={{ "--swatch": partColour(name) }} />
            {name}
          </>,
          ...[baseline, option, baseline - option].map(whole),
        ],
      }))}
    />
  );
}
