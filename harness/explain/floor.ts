/** The least time that physics and the protocols' rules allow a condition's page: no load can be quicker. */
import { standardWindow } from "../../models/adaptive-window.ts";
import type { Evidence } from "../../schema/evidence.ts";
import { fullFrameBytes, fullSegmentBytes, packetMs } from "../../schema/link.ts";
import type { Condition } from "../../schema/plan.ts";
import { isImported, type Registries } from "../../schema/registries.ts";
import { handshakeRoundTrips } from "../judge/round-trips.ts";

/** By what it follows from; milliseconds. */
export type Floor = NonNullable<ReturnType<typeof floorOf>>;

/** @returns null where the rules are not known: of an imported page, of other windows than TCP's slow start @param evidence of any of its loads: which round trips its handshakes take */
export function floorOf(
  { settings: { page, link, route } }: Condition,
  { pages, protocols }: Registries,
  evidence: Evidence,
) {
  const known = pages[page.name];
  const protocol = protocols[page.protocol];
  if (!known || isImported(known) || !protocol) return null;
  // QUIC's windows are its software's own, and BBR's more than double.
  if (protocol.transport === "quic" || route.server.congestion === "bbr" || route.server.adaptive) return null;
  const connections = page.hosts * protocol.connections;
  const others = Math.max(0, known.requests - 1);
  const segments = known.bodyBytes / fullSegmentBytes;
  const byWindow = slowStartRounds(segments, connections * (route.server.initcwnd ?? standardWindow)) - 1;
  // Over HTTP/2 all requests of a connection are under way at once, over HTTP/1.1 one.
  const byRequests = others === 0 ? 0 : protocol.alpn === "h2" ? 1 : Math.ceil(others / connections);
  /** Round trips before the first request: TCP and TLS. */
  const connectionMs = handshakeRoundTrips(evidence, protocol) * link.rttMs;
  /** The document's first byte; then each request must be asked for, over so many connections, in windows that at most double. */
  const roundTripsMs = link.rttMs * (1 + Math.max(byWindow, byRequests));
  /** All bytes, in full packets, at the bottleneck's rate. */
  const rateMs = packetMs(fullFrameBytes, link.downMbps) * segments;
  // Handshakes, the first answer's way, and the longer of what then remains by round trips and by the rate.
  return { connectionMs, roundTripsMs, rateMs, ms: connectionMs + Math.max(roundTripsMs, link.rttMs + rateMs) };
}

/** How many flights, each at most twice the one before, carry so many segments. */
export function slowStartRounds(segments: number, first: number): number {
  return Math.max(1, Math.ceil(Math.log2(segments / first + 1)));
}
