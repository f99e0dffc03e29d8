/**
 * Paint times, which only the browser reports: they are checked against what must come before and after them. The largest paint may be
 * earlier than the first one: it is stamped when the frame is painted, the first when it is presented, which a busy machine delays.
 */
import type { Evidence } from "../../schema/evidence.ts";
import type { Replays } from "../../schema/registries.ts";

/** @param wallMs of the load's line, if it exists yet */
export function paintProblems({ paint, timing }: Evidence, wallMs: number | undefined, replays?: Replays): string[] {
  if (!paint) return [];
  if (replays) return ["a client without a screen reports paint times"];
  const { firstContentfulMs, largestContentfulMs } = paint;
  const { responseStart = Number.NaN } = timing;
  return [
    ...(firstContentfulMs >= responseStart
      ? []
      : [`its first paint was after ${firstContentfulMs} ms, but the HTML began to arrive after ${responseStart} ms`]),
    ...(wallMs === undefined || largestContentfulMs <= wallMs
      ? []
      : [`its largest paint was after ${largestContentfulMs} ms, but its wall time is ${wallMs} ms`]),
  ];
}
