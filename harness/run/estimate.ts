import { loadPage, sizeOf } from "../../pages/pages.ts";
import type { Condition } from "../../schema/plan.ts";

/**
 * Roughly how long a load takes on the real clock, seconds: handshakes and slow start, six requests a round trip over HTTP/1.1, and the
 * bytes at the bottleneck's rate. For a block of the matrix it gives 742 s, where results/reference took 770.
 */
export function estimateSeconds({ settings: { page: asked, link } }: Condition): number {
  const { requests, bytes } = sizeOf(loadPage(asked.name));
  const rounds = 6 + (asked.protocol === "h1" ? requests / 6 : 4);
  const sending = (bytes * 8) / (link.downMbps * 1e6);
  return 0.3 + (rounds * link.rttMs) / 1000 + sending * (1 + link.lossPercent);
}
