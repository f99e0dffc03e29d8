import { backgroundSteps } from "../../schema/background.ts";
import type { Condition } from "../../schema/plan.ts";
import { entryOf, type Registries } from "../../schema/registries.ts";
import { loadPage, sizeOf } from "../../sites/pages.ts";

/**
 * Estimates the duration of a load on the real clock, in seconds: handshakes and slow start, one round trip for each request on an HTTP/1.1
 * connection, and the time to send the bytes at the bottleneck's rate. Background flows run for 1.5 steps (`backgroundSteps`) on average before
 * the load, and take half of the rate during the load. The estimate for one block of results/reference is 742 s; the block took 770 s.
 */
export function estimateSeconds(
  { settings: { page: asked, link, background } }: Condition,
  protocols: Registries["protocols"],
): number {
  const { connections } = entryOf(protocols, "protocols", asked.protocol);
  const { requests, bytes } = sizeOf(loadPage(asked.name));
  const rounds = 6 + (connections > 1 ? requests / connections : 4);
  const sending = (bytes * 8) / (link.downMbps * 1e6);
  const loadSeconds = 0.3 + (rounds * link.rttMs) / 1000 + sending * (1 + link.lossPercent);
  return background ? (1.5 * backgroundSteps.ms) / 1000 + 2 * loadSeconds : loadSeconds;
}
