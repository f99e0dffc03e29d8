/**
 * What a browser says that it painted: nothing else sees it, so it is held against what must come before and after alone. The
 * largest may be told before the first: the one by its frame's painting, the other by its presentation, which a busy machine delays.
 */
import type { Evidence } from "../../schema/evidence.ts";
import type { Replays } from "../../schema/registries.ts";

/** @param wallMs of its line, where there is one yet */
export function paintProblems({ paint, timing }: Evidence, wallMs: number | undefined, replays?: Replays): string[] {
  if (!paint) return [];
  if (replays) return ["a client that shows nothing says when it painted"];
  const { firstContentfulMs, largestContentfulMs } = paint;
  const { responseStart = Number.NaN } = timing;
  return [
    ...(firstContentfulMs >= responseStart
      ? []
      : [`it painted after ${firstContentfulMs} ms, and the HTML began to come after ${responseStart}`]),
    ...(wallMs === undefined || largestContentfulMs <= wallMs
      ? []
      : [`it painted after ${largestContentfulMs} ms, and its line took ${wallMs} ms`]),
  ];
}
