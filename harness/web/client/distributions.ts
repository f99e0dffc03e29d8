/** Draws the times of two conditions: as distributions, and load by load in the order of measurement. */
import * as Plot from "@observablehq/plot";
import type { LoadView } from "./loads.ts";
import { linkTo } from "./route.ts";

/** One of two compared conditions. */
export interface Side {
  key: string;
  name: string;
  loads: readonly LoadView[];
  timeoutMs: number;
}

const colours = ["var(--side-a)", "var(--side-b)"];
const common = {
  style: { background: "none", fontFamily: "inherit", fontSize: "12px" },
  height: 260,
  marginLeft: 56,
  marginBottom: 40,
} as const;

/** Returns the loads that count, including loads that never ended. */
const counted = ({ loads }: Side) => loads.filter((load): load is LoadView & { ms: number } => load.ms !== null);

/** Draws, for each time, the share of loads that took at most this time. */
export function drawEcdf(sides: readonly Side[], width: number): Element {
  const lines = sides.map((side, i) => {
    const sorted = counted(side)
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
    const steps = sorted
      .map((ms, place) => ({ ms, share: (place + 1) / sorted.length }))
      .filter(({ ms }) => Number.isFinite(ms));
    const start = steps.slice(0, 1).map(({ ms }) => ({ ms, share: 0 }));
    return Plot.line([...start, ...steps], {
      x: "ms",
      y: "share",
      curve: "step-after",
      stroke: colours[i]!,
      strokeWidth: 2,
    });
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

/** In a plot with more points than this, points are not hyperlinks, because nobody could click a single one. */
const mostLinks = 1000;

export function drawInOrder(sides: readonly Side[], width: number): Element {
  const loads = sides.flatMap((side, i) =>
    side.loads.map(({ ms, block, place, remarked, remark }) => ({
      block,
      ms,
      fill: colours[i]!,
      stroke: remarked ? "currentColor" : "none",
      href: linkTo("load", { c: side.key, l: String(place) }),
      title: `${side.name}, block ${block}: ${ms === null || ms === Infinity ? (remark?.reason ?? "failed") : `${ms} ms`}`,
    })),
  );
  const ended = ({ ms }: { ms: number | null }) => ms !== null && Number.isFinite(ms);
  const points = loads.filter(ended);
  const failed = loads.filter((one) => !ended(one));
  const links = loads.length <= mostLinks ? { href: "href" } : {};
  return Plot.plot({
    ...common,
    width,
    ariaLabel: "Each load's time, by block",
    x: { label: "block", tickFormat: (block: number) => (Number.isInteger(block) ? String(block) : "") },
    y: { label: "time, ms", grid: true, zero: true },
    color: { type: "identity" },
    marks: [
      Plot.dot(points, {
        x: "block",
        y: "ms",
        r: points.length > 400 ? 2 : 4,
        stroke: "stroke",
        fill: "fill",
        title: "title",
        ...links,
      }),
      Plot.text(failed, {
        x: "block",
        frameAnchor: "bottom",
        text: () => "×",
        fontSize: 16,
        fill: "fill",
        title: "title",
        ...links,
      }),
    ],
  });
}
