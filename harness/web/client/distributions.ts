/** Two conditions' times: as distributions, and load by load in the order in which they were made. */
import * as Plot from "@observablehq/plot";
import type { LoadView } from "./loads.ts";
import { linkTo } from "./route.ts";

/** One of the conditions that are compared. */
export interface Side {
  key: string;
  name: string;
  loads: readonly LoadView[];
}

const colours = ["var(--side-a)", "var(--side-b)"];
const common = {
  style: { background: "none", fontFamily: "inherit", fontSize: "12px" },
  height: 260,
  marginLeft: 56,
  marginBottom: 40,
} as const;

const good = ({ loads }: Side) => loads.filter((load): load is LoadView & { ms: number } => load.ms !== null);

/** Up to how many milliseconds which share of the loads took. */
export function drawEcdf(sides: readonly Side[], width: number): Element {
  const lines = sides.flatMap((side, i) => {
    const sorted = good(side)
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
    const steps = sorted.map((ms, place) => ({ ms, share: (place + 1) / sorted.length }));
    return sorted.length
      ? [
          Plot.line([{ ms: sorted[0]!, share: 0 }, ...steps], {
            x: "ms",
            y: "share",
            curve: "step-after",
            stroke: colours[i]!,
            strokeWidth: 2,
          }),
        ]
      : [];
  });
  return Plot.plot({
    ...common,
    width,
    ariaLabel: "Share of loads by time",
    x: { label: "time, ms", grid: true },
    y: { label: "share of loads", domain: [0, 1], percent: false, grid: true },
    marks: lines,
  });
}

/** More points than this are drawn without links: nobody could hit one. */
const mostLinks = 1000;

export function drawInOrder(sides: readonly Side[], width: number): Element {
  const points = sides.flatMap((side, i) =>
    side.loads.flatMap(({ ms, block, place, remarked: marked }) => {
      if (ms === null) return [];
      return [
        {
          block,
          ms,
          colour: colours[i]!,
          marked,
          href: linkTo("load", { c: side.key, l: String(place) }),
          title: `${side.name}, block ${block}: ${ms} ms`,
        },
      ];
    }),
  );
  const failed = sides.flatMap((side, i) =>
    side.loads.flatMap(({ ms, block, place, remark }) =>
      ms === null
        ? [
            {
              block,
              colour: colours[i]!,
              href: linkTo("load", { c: side.key, l: String(place) }),
              title: `block ${block}: ${remark?.reason ?? "failed"}`,
            },
          ]
        : [],
    ),
  );
  const channels = {
    fill: (point: { colour: string }) => point.colour,
    title: "title",
    ...(points.length <= mostLinks ? { href: "href" } : {}),
  };
  return Plot.plot({
    ...common,
    width,
    ariaLabel: "Each load's time, by block",
    x: { label: "block", tickFormat: (block: number) => (Number.isInteger(block) ? String(block) : "") },
    y: { label: "time, ms", grid: true, zero: true },
    marks: [
      Plot.dot(points, {
        x: "block",
        y: "ms",
        r: points.length > 400 ? 2 : 4,
        stroke: (point: { marked: boolean }) => (point.marked ? "currentColor" : "none"),
        ...channels,
      }),
      Plot.text(failed, { x: "block", frameAnchor: "bottom", text: () => "×", fontSize: 16, ...channels }),
    ],
  });
}
