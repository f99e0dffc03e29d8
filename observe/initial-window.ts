import type { WindowBounds } from "../schema/evidence.ts";
import { atOnceMs, leastTimeoutMs } from "../schema/linux.ts";
import { beyond, endOf, type Packet } from "./packet.ts";

export interface Event {
  packet: Packet;
  fromClient: boolean;
}

/** Only this many events are examined. After them, slow start is over, or further events show nothing more about the initial window. */
const enoughEvents = 200;
/** After this many idle round trips a server may send a tail loss probe beyond its window (RFC 8985), then retransmit the oldest segment. */
export const probeRoundTrips = 1.5;

/**
 * Estimates bounds of initcwnd from a capture at the server. Only events before the first loss are used, because a loss changes the window.
 * @param paced whether the server's congestion control paces (BBR); a pause then does not mean that its window is full
 * @returns null if the SYN or SYN/ACK was retransmitted, because Linux then starts with a smaller window
 */
export function initialWindow(events: readonly Event[], paced = false): WindowBounds | null {
  const [syn, answer, ...more] = events.filter(({ packet }) => packet.syn).map(({ packet }) => packet);
  if (!answer || more.length > 0) return null;
  const calm = beforeTrouble(events);
  const inFlight = mostInFlight(calm);
  let atLeast = 1;
  while (atLeast < inFlight && !fits(calm, atLeast, paced)) atLeast++;
  return {
    atLeast: inFlight === 0 ? 0 : atLeast,
    atMost: paced ? null : smallestStop(calm, windowScaleOf(syn!, answer), firstRoundTripMs(events)),
  };
}

/** Returns the window scale in the client's SYN; 0 if the server does not scale, because then neither side does (RFC 7323, section 2.2). */
const windowScaleOf = (syn: Packet, answer: Packet) => (answer.windowScale === null ? 0 : (syn.windowScale ?? 0));

/** Time from the SYN/ACK to its acknowledgment; NaN if either is missing. */
export function firstRoundTripMs(events: readonly Event[]): number {
  const answer = events.find(({ packet, fromClient }) => !fromClient && packet.syn)?.packet;
  const first = events.find(({ packet, fromClient }) => fromClient && !packet.syn)?.packet;
  return answer && first ? first.timeMs - answer.timeMs : NaN;
}

/** Returns the events before the first retransmission, selective acknowledgment, tail loss probe, FIN or RST. */
export function beforeTrouble(events: readonly Event[]): Event[] {
  const calm: Event[] = [];
  let highest: number | null = null;
  let lastMs = NaN; // when data was last sent or acknowledged
  let eventMs = NaN;
  let acknowledged: number | null = null;
  const roundTripMs = firstRoundTripMs(events);
  for (const event of events) {
    const { packet, fromClient } = event;
    if (packet.syn) continue;
    if (calm.length === enoughEvents || packet.reset || packet.fin || (fromClient && packet.sacks)) break;
    if (!fromClient && packet.payloadBytes > 0) {
      if (highest !== null && beyond(endOf(packet), highest) <= 0) break;
      const isLate = packet.timeMs - lastMs > probeRoundTrips * roundTripMs;
      if (isLate || packet.timeMs - eventMs > atOnceMs.window) {
        const [oldest] = flightAfter(calm);
        if (oldest && (isLate || packet.timeMs - oldest.timeMs > roundTripMs + leastTimeoutMs)) break;
      }
      highest = endOf(packet);
      lastMs = packet.timeMs;
    }
    if (fromClient && (acknowledged === null || beyond(packet.acknowledgment, acknowledged) > 0)) {
      acknowledged = packet.acknowledgment;
      lastMs = packet.timeMs;
    }
    eventMs = packet.timeMs;
    calm.push(event);
  }
  return calm;
}

/** Calls `step` with each event, the segments in flight after it, and the segments it acknowledged. @returns the segments in flight at the end */
export function play(
  events: readonly Event[],
  step: (event: Event, flight: readonly Packet[], acknowledged: readonly Packet[]) => void,
): readonly Packet[] {
  const flight: Packet[] = [];
  for (const event of events) {
    const { packet, fromClient } = event;
    const acknowledged: Packet[] = [];
    if (fromClient)
      while (flight[0] && beyond(endOf(flight[0]), packet.acknowledgment) <= 0) acknowledged.push(flight.shift()!);
    else if (packet.payloadBytes > 0) flight.push(packet);
    step(event, flight, acknowledged);
  }
  return flight;
}

const flightAfter = (events: readonly Event[]) => play(events, () => {});

function mostInFlight(events: readonly Event[]): number {
  let most = 0;
  play(events, (_, { length }) => {
    most = Math.max(most, length);
  });
  return most;
}

/** Lower limit of BBR's window after the first acknowledgment (bbr_cwnd_min_target in Linux). */
const leastPacedWindow = 4;

/**
 * Whether slow start from this initial window permits the segments that were in flight. While the window is used, it grows by one segment
 * for each acknowledged segment. At startup, BBR's window grows even when it is not used (bbr_set_cwnd in Linux).
 */
function fits(events: readonly Event[], initcwnd: number, paced: boolean): boolean {
  let window = initcwnd;
  let most = 0;
  let limited = false;
  let fitting = true;
  play(events, (_, { length: inFlight }, { length: acknowledged }) => {
    most = Math.max(most, inFlight);
    if (inFlight > window) fitting = false;
    limited ||= inFlight >= window;
    if (paced && acknowledged > 0) window = Math.max(window + acknowledged, leastPacedWindow);
    else if (limited || window < 2 * most) window += acknowledged; // tcp_is_cwnd_limited and tcp_slow_start in Linux
  });
  return fitting;
}

/**
 * Finds the fewest segments in flight at which a full congestion window stopped the server. The window counts as full if all segments in
 * flight were sent since the last acknowledgment, the last segment was full-sized (there was more to send), the client's receive
 * window had room for another segment, and the next acknowledgment, without a request, made the server send immediately.
 * Flights whose first segment was sent more than half a round trip before the last are skipped: Linux may hold segments back although
 * the window has room, because it expects an acknowledgment soon (tcp_tso_should_defer). For example, a response right after an
 * unacknowledged TLS ticket stops at 9 of 10 segments.
 */
function smallestStop(events: readonly Event[], windowScale: number, roundTripMs: number): number | null {
  let stop: number | null = null;
  let sentSinceAck = 0;
  let fullBytes = 0;
  let last: Packet | null = null;
  let offer: Packet | null = null; // the client's packet that announced its current receive window
  let waiting: { inFlight: number; sinceMs: number } | null = null;
  let quickestMs = roundTripMs;
  play(events, ({ packet, fromClient }, flight, acknowledged) => {
    if (!fromClient) {
      if (packet.payloadBytes === 0) return;
      if (waiting && packet.timeMs - waiting.sinceMs < atOnceMs.window)
        stop = Math.min(stop ?? Infinity, waiting.inFlight);
      waiting = null;
      sentSinceAck++;
      last = packet;
      fullBytes = Math.max(fullBytes, packet.payloadBytes);
      return;
    }
    waiting = null;
    const hasRoom = last && offer && roomAfter(last, offer, windowScale) >= fullBytes;
    // A reordered, older acknowledgment changes nothing.
    if (!offer || beyond(packet.acknowledgment, offer.acknowledgment) >= 0) offer = packet;
    const [first] = acknowledged;
    if (!first || !last) return;
    const before = flight.length + acknowledged.length;
    const atOnce = last.timeMs - first.timeMs < quickestMs / 2;
    quickestMs = Math.min(quickestMs, packet.timeMs - first.timeMs);
    if (packet.payloadBytes === 0 && sentSinceAck === before && last.payloadBytes === fullBytes && hasRoom && atOnce)
      waiting = { inFlight: before, sinceMs: packet.timeMs };
    sentSinceAck = 0;
  });
  return stop;
}

/** How many bytes the client's announced receive window permits beyond this segment. */
const roomAfter = (sent: Packet, offer: Packet, windowScale: number) =>
  beyond(offer.acknowledgment + (offer.window << windowScale), endOf(sent));
