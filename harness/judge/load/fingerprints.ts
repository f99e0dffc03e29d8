/** Hashes that reveal copied loads: two loads may share no hash on the real clock, and none of the first `loadPrints` on the virtual clock. */
import type { Evidence } from "../../../schema/evidence.ts";
import { sha256 } from "../../../schema/sha256.ts";

/** How many fingerprints contain ports: only the first one. If programs take no time (--processing "0 ms"), no other one distinguishes loads. */
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

/** Returns hashes of 52 bits: only the first one, which covers ports, if times do not identify the load. */
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
