/** Draws the rates at which the page and background flows used the link during a load, in front of the rate of the link itself. */
import * as Plot from "@observablehq/plot";
import type { DirectionUse } from "../data/link-use.ts";
import { overTime } from "./time-axis.ts";

interface Bar {
  fromMs: number;
  toMs: number;
  from: number;
  to: number;
  who: "page" | "background";
}

/** Returns the bars, in Mb/s. In each step, the bar of background flows is stacked on the page's bar. */
export function barsOf({ page, background }: Pick<DirectionUse, "page" | "background">, stepMs: number): Bar[] {
  const mbps = (bytes = 0) => bytes / stepMs / 125;
  return Array.from({ length: Math.max(page.length, background.length) }, (_, step): Bar[] => {
    const [fromMs, toMs] = [step * stepMs, (step + 1) * stepMs];
    const own = mbps(page[step]);
    return [
      { fromMs, toMs, from: 0, to: own, who: "page" },
      { fromMs, toMs, from: own, to: own + mbps(background[step]), who: "background" },
    ];
  })
    .flat()
    .filter(({ from, to }) => to > from);
}

export const fills = { page: "var(--side-b)", background: "var(--flow-3)" };

/** @param label describes the drawing for screen readers */
export function drawLinkUse(use: DirectionUse, stepMs: number, endMs: number, label: string, width: number): Element {
  const { fromMs, mbps } = use.rates;
  const rates = [...fromMs.map((ms, i) => ({ ms, mbps: mbps[i]! })), { ms: endMs, mbps: mbps.at(-1) ?? 0 }];
  return Plot.plot({
    ...overTime(width, endMs),
    ariaLabel: label,
    y: { label: "Mb/s", grid: true },
    color: { type: "identity" },
    marks: [
      Plot.areaY(rates, {
        x: "ms",
        y: "mbps",
        curve: "step-after",
        fill: "var(--quiet)",
        fillOpacity: 0.25,
        clip: true,
      }),
      Plot.rect(barsOf(use, stepMs), {
        ...{ x1: "fromMs", x2: "toMs", y1: "from", y2: "to", clip: true },
        fill: ({ who }: Bar) => fills[who],
        title: ({ who, from, to }: Bar) => `${who}: ${(to - from).toFixed(2)} Mb/s`,
      }),
      Plot.line(rates, { x: "ms", y: "mbps", curve: "step-after", stroke: "var(--quiet)", clip: true }),
    ],
  });
}
