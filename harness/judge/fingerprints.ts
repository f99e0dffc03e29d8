/** By what a load's evidence is known again: no two loads have the same. */
import type { Evidence } from "../../schema/evidence.ts";
import { sha256 } from "../record/digest.ts";

/** How many of a load's fingerprints, the first, have ports in them: of its flows. */
export const portPrints = 1;
/** The times of fewer requests may be the same by chance: on the virtual clock they differ by tenths of a millisecond alone. */
const tellingRequests = 10;
/** A client that is no browser does the same at the same moments each time, if nothing is lost. It parses no document. */
const hasTellingTimes = ({ requests, timing }: Evidence) =>
  requests >= tellingRequests && timing.domContentLoadedEventStart !== undefined;

/**
 * Of what no two loads have the same of: ports, and times to a fraction of a millisecond. 52 bits each. Where programs take no time
 * (--processing "0 ms"), the client is no browser or the page has few requests, times repeat, and flows alone, which have ports,
 * are left.
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
