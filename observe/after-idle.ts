import type { AfterIdle } from "../schema/evidence.ts";
import { atOnceMs, leastTimeoutMs } from "../schema/linux.ts";
import { type Event, firstRoundTripMs, play, probeRoundTrips } from "./initial-window.ts";
import { beyond } from "./packet.ts";

/**
 * Measures what a server sends after the longest idle time of a connection, from a capture at the server. While a connection is idle,
 * all data is acknowledged, and neither side sends anything until the client's next request.
 * @returns null if no idle time reached TCP's minimum retransmission time-out, after which Linux may reduce the window
 */
export function afterIdle(events: readonly Event[]): AfterIdle | null {
  const found = { idleMs: 0, index: 0, mostBefore: 0 };
  let [index, mostBefore] = [0, 0];
  play(events, ({ packet, fromClient }, flight, acknowledged) => {
    const last = events[index - 1];
    const isFree = fromClient && packet.payloadBytes > 0 && flight.length === 0 && acknowledged.length === 0;
    const idleMs = isFree && last?.fromClient ? packet.timeMs - last.packet.timeMs : 0;
    if (idleMs > found.idleMs) Object.assign(found, { idleMs, index, mostBefore });
    mostBefore = Math.max(mostBefore, flight.length);
    index++;
  });
  const { idleMs } = found;
  return idleMs < leastTimeoutMs
    ? null
    : {
        idleMs,
        ...firstFlightOf(events.slice(found.index), probeRoundTrips * firstRoundTripMs(events)),
        mostBefore: found.mostBefore,
      };
}

/**
 * Counts the data segments that a server sends before the client acknowledges the first of them, and checks whether this acknowledgment
 * alone makes the server send more.
 * @param probeMs a segment sent longer than this after the previous segment is a tail loss probe, which may exceed the window
 */
function firstFlightOf(events: readonly Event[], probeMs: number): Pick<AfterIdle, "flightSegments" | "windowWasFull"> {
  const isData = ({ packet, fromClient }: Event) => !fromClient && packet.payloadBytes > 0;
  const first = events.find(isData)?.packet.sequence;
  const answer = events.findIndex(
    ({ packet, fromClient }) => fromClient && first !== undefined && beyond(packet.acknowledgment, first) > 0,
  );
  const sent = events.slice(0, answer < 0 ? undefined : answer).filter(isData);
  const probe = sent.findIndex(({ packet }, i) => i > 0 && packet.timeMs - sent[i - 1]!.packet.timeMs > probeMs);
  const withoutProbes = probe < 0 ? sent : sent.slice(0, probe);
  const [ack, next] = answer < 0 ? [] : events.slice(answer);
  return {
    flightSegments: withoutProbes.length,
    windowWasFull:
      ack?.packet.payloadBytes === 0 &&
      next !== undefined &&
      isData(next) &&
      next.packet.timeMs - ack.packet.timeMs < atOnceMs.window,
  };
}
