import type { BackgroundEvidence } from "../schema/background.ts";
import type { Direction } from "../schema/link.ts";
import type { Metric } from "./metric.ts";

/** The background flows' percentage of the bytes that a link direction delivered during the load; null without such bytes or flows. */
function percentOf(background: BackgroundEvidence | undefined, direction: Direction): number | null {
  const { bytes, ofBackground } = background?.during[direction] ?? { bytes: 0, ofBackground: 0 };
  return bytes > 0 ? (100 * ofBackground) / bytes : null;
}

export const metric: Metric[] = [
  {
    name: "backgroundDownPercent",
    title: "background flows' share of the bytes to the client",
    unit: "%",
    of: ({ background }) => percentOf(background, "down"),
  },
  {
    name: "backgroundUpPercent",
    title: "background flows' share of the bytes from the client",
    unit: "%",
    of: ({ background }) => percentOf(background, "up"),
  },
];
