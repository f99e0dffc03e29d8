/** The floor: the shortest page load time that a condition's link and protocols allow. */
import type { Evidence } from "../../schema/evidence.ts";
import { fullFrameBytes, fullSegmentBytes, packetMs } from "../../schema/link.ts";
import { standardWindow } from "../../schema/linux.ts";
import type { Condition } from "../../schema/plan.ts";
import { isImported, type Registries } from "../../schema/registries.ts";
import { adaptive } from "../../schema/settings.ts";
import { handshakeRoundTrips } from "../judge/load/round-trips.ts";

/** The floor and its components, in milliseconds. */
export type Floor = NonNullable<ReturnType<typeof floorOf>>;

/**
 * @param evidence the evidence of any load of the condition, which shows how many round trips handshakes take
 * @returns null if the rules are unknown: for an imported page, for windows that do not follow TCP's slow start, or for a rate that varies
 */
export function floorOf(
  { settings: { page, link, route, client } }: Condition,
  { pages, protocols }: Registries,
  evidence: Evidence,
) {
  const known = pages[page.name];
  const protocol = protocols[page.protocol];
  if (!known || isImported(known) || !protocol || link.trace) return null;
  const { initcwnd = standardWindow } = route.server;
  // Each QUIC implementation has its own windows, and BBR's window may more than double.
  if (protocol.transport === "quic" || route.server.congestion === "bbr" || initcwnd === adaptive) return null;
  const { connections: perHost = protocol.connections } = client;
  const connections = typeof perHost === "string" ? known.requests : page.hosts * perHost;
  const others = Math.max(0, known.requests - 1);
  const segments = known.bodyBytes / fullSegmentBytes;
  const byWindow = slowStartRounds(segments, connections * initcwnd) - 1;
  // Over HTTP/2 all requests of a connection are active at once, over HTTP/1.1 only one.
  const byRequests = others === 0 ? 0 : protocol.alpn === "h2" ? 1 : Math.ceil(others / connections);
  /** Round trips before the first request: TCP and TLS. */
  const connectionMs = handshakeRoundTrips(evidence, protocol) * link.rttMs;
  /** One round trip for the document's first byte, then as many as the other requests need, or as the growing windows need: the larger number. */
  const roundTripsMs = link.rttMs * (1 + Math.max(byWindow, byRequests));
  /** All bytes, in full packets, at the bottleneck's rate. */
  const rateMs = packetMs(fullFrameBytes, link.downMbps) * segments;
  return { connectionMs, roundTripsMs, rateMs, ms: connectionMs + Math.max(roundTripsMs, link.rttMs + rateMs) };
}

/** Returns how many flights this many segments need, if each flight is at most twice the previous one. */
export function slowStartRounds(segments: number, first: number): number {
  return Math.max(1, Math.ceil(Math.log2(segments / first + 1)));
}
