/** Where the time goes: what loads waited for on their way to the load event, as bars side by side, and in figures. */
import { useRef } from "preact/hooks";
import type { Part } from "../../explain/parts.ts";
import { partColours } from "../../report/explain/part-colours.ts";
import type { RunView } from "../data/model.ts";
import { mean, whole } from "./format.ts";
import { useWidth } from "./plot.tsx";

export interface PartsSide {
  name: string;
  /** Milliseconds by part. */
  ms: number[];
}

export const partColour = (name: string) => `light-dark(${partColours[name as Part].join(", ")})`;

/** The mean over conditions that have an account; null if none has. */
export function meanParts(run: RunView, conditions: readonly (number | null)[]): number[] | null {
  const known = conditions
    .flatMap((place) => (place === null ? [] : [run.conditions[place]!.parts ?? []]))
    .filter((ms) => ms.length);
  return known.length ? run.parts.map((_, part) => mean(known.map((ms) => ms[part]!))) : null;
}

const [height, gap] = [18, 20];
/** Less than this share of the longer bar is not worth a line. */
const least = 0.01;

export function PartsBars({ run, sides }: { run: RunView; sides: [PartsSide, PartsSide] }) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const totals = sides.map(({ ms }) => ms.reduce((sum, one) => sum + one, 0));
  const most = Math.max(...totals);
  const shown = run.parts.flatMap(({ name, title }, part) => {
    const [base, option] = [sides[0].ms[part]!, sides[1].ms[part]!];
    return Math.max(base, option) >= least * most ? [{ name, title, part, base, option }] : [];
  });
  return (
    <>
      <div ref={place}>
        <Bars sides={sides} totals={totals} shown={shown} width={width} />
      </div>
      <PartsTable sides={sides} shown={shown} />
    </>
  );
}

interface ShownPart {
  name: string;
  title: string;
  /** Its place among all. */
  part: number;
  base: number;
  option: number;
}

interface BarsOf {
  sides: [PartsSide, PartsSide];
  totals: number[];
  shown: ShownPart[];
  width: number;
}

function Bars({ sides, totals, shown, width }: BarsOf) {
  const most = Math.max(...totals);
  const bottom = 2 * (height + gap);
  return (
    <svg
      width={width}
      height={bottom}
      viewBox={`0 0 ${width} ${bottom}`}
      role="img"
      aria-label="Where the time goes, both sides"
      font-size="11"
    >
      {sides.map(({ name, ms }, i) => (
        <g key={name} transform={`translate(0,${i * (height + gap)})`}>
          <text y={11}>
            {name}: {whole(totals[i]!)} ms
          </text>
          {shown.map(({ name: what, title, part }) => (
            <rect
              key={what}
              x={(width * sumTo(ms, part)) / most}
              y={15}
              width={(width * ms[part]!) / most}
              height={height}
              fill={partColour(what)}
            >
              <title>{`${what}, ${whole(ms[part]!)} ms: ${title}`}</title>
            </rect>
          ))}
        </g>
      ))}
    </svg>
  );
}

function PartsTable({ sides, shown }: Pick<BarsOf, "sides" | "shown">) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">where the time goes, ms</th>
          {[...sides.map(({ name }) => name), "saved"].map((head) => (
            <th key={head} scope="col" class="number">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map(({ name, title, base, option }) => (
          <tr key={name} title={title}>
            <th scope="row">
              <i style={{ "--swatch": partColour(name) }} />
              {name}
            </th>
            {[base, option, base - option].map((ms, i) => (
              <td key={`${i}`} class="number">
                {whole(ms)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const sumTo = (ms: number[], part: number) => ms.slice(0, part).reduce((sum, one) => sum + one, 0);

/** The parts that say most of the difference, in a sentence; null where nothing does. */
export function whyInWords(run: RunView, [base, option]: [PartsSide, PartsSide]): string | null {
  const saved = run.parts
    .map(({ name, title }, part) => ({ name, title, ms: base.ms[part]! - option.ms[part]! }))
    .sort((a, b) => b.ms - a.ms);
  const [gained, lost] = [saved[0]!, saved.at(-1)!];
  const words = [
    ...(gained.ms >= 1 ? [`It saves most in ${gained.name}, ${whole(gained.ms)} ms: ${gained.title}.`] : []),
    ...(lost.ms <= -1 ? [`It loses most in ${lost.name}, ${whole(-lost.ms)} ms: ${lost.title}.`] : []),
  ];
  return words.length ? words.join(" ") : null;
}
