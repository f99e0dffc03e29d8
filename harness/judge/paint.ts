/** What a browser says that it painted: nothing else sees it, so it is held against what must come before and after alone. */
import type { Evidence } from "../../schema/evidence.ts";
import type { Replays } from "../../schema/registries.ts";
import { tolerance } from "../../schema/tolerances.ts";

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
    // One may be told by its painting, the other by its presentation.
    ...(largestContentfulMs >= firstContentfulMs - tolerance.browserMs
      ? []
      : [`the largest was painted after ${largestContentfulMs} ms, the first after ${firstContentfulMs}`]),
    ...(wallMs === undefined || largestContentfulMs <= wallMs
      ? []
      : [`it painted after ${largestContentfulMs} ms, and its line took ${wallMs} ms`]),
  ];
}
