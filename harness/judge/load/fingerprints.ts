/** Hashes that reveal two loads with the same evidence. On the real clock all must differ in two loads, on the virtual clock only some must. */
import type { Evidence } from "../../../schema/evidence.ts";
import { sha256 } from "../../../schema/sha256.ts";

/** How many fingerprints contain ports: only the first one, which covers the connections in the captures. */
export const portPrints = 1;
/**
 * How many fingerprints, counted from the first, contain ports or a browser's times. The remaining fingerprint covers one-way delays. On the
 * virtual clock, delays have only a few different values, so two loads may share this fingerprint by chance (2 of 800 loads of Page B did).
 */
export const loadPrints = 3;
/** Times identify only loads with at least this many requests: with fewer, times may be equal by chance, mainly on the virtual clock. */
const tellingRequests = 10;
/** Whether times identify the load. A client that is not a browser parses no document, so without losses it repeats its times exactly. */
const hasTellingTimes = ({ requests, timing }: Evidence) =>
  requests >= tellingRequests && timing.domContentLoadedEventStart !== undefined;

/**
 * Computes hashes of ports and of times to a fraction of a millisecond, 52 bits each. Times repeat if the client is not a browser, if the page
 * has few requests, or if programs take no time (--processing "0 ms"). Then only the first hash, which covers ports, distinguishes loads.
 */
export function fingerprintsOf(evidence: Evidence): number[] {
  const { connections, packets, timing } = evidence;
  return [
    [...packets.flows, ...(packets.quicFlows ?? [])],
    connections,
    [timing, connections.flatMap(({ requests }) => requests.map(({ endMs }) => endMs))],
    [packets.path.down.transit ?? connections, packets.path.up.transit],
  ]
    .slice(0, hasTellingTimes(evidence) ? undefined : portPrints)
    .map((part) => Number.parseInt(sha256(JSON.stringify(part)).slice(0, 13), 16));
}
