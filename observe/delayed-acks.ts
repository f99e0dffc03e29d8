/** Whether a client delays its acknowledgments (RFC 9293, section 3.8.6.3), according to its own capture. */
import type { FirstAcks } from "../schema/evidence.ts";
import { atOnceMs } from "../schema/linux.ts";
import type { Event } from "./initial-window.ts";
import { beyond, endOf, type Packet } from "./packet.ts";

/**
 * Counts full segments of the first response that arrived when all earlier data was acknowledged: how many were acknowledged immediately and
 * alone, and how many waited for the next segment or a timer. Segments with PSH are not counted, because Linux may acknowledge them early once
 * the client has read all data. Counting ends at a loss, at the end of the connection, or at the client's next request, because Linux then
 * delays acknowledgments anyway (interactive session).
 */
export function firstAcks(events: readonly Event[]): FirstAcks {
  const seen = { atOnce: 0, delayed: 0 };
  let [acknowledged, expected]: (number | null)[] = [null, null];
  let waiting: Packet | null = null;
  const fullBytes = events.reduce(
    (most, { packet, fromClient }) => Math.max(most, fromClient ? 0 : packet.payloadBytes),
    0,
  );
  for (const { packet, fromClient } of events) {
    if (packet.reset || packet.fin || packet.sacks) break;
    if (fromClient) {
      if (packet.payloadBytes > 0 && expected !== null) break;
      acknowledged = packet.acknowledgment;
      if (!waiting || beyond(acknowledged, waiting.sequence) <= 0) continue;
      if (packet.timeMs - waiting.timeMs < atOnceMs.acknowledgment) seen.atOnce++;
      else seen.delayed++;
      waiting = null;
    } else if (packet.payloadBytes > 0) {
      if (expected !== null && packet.sequence !== expected) break;
      expected = endOf(packet);
      if (waiting) seen.delayed++;
      const isFirst = packet.sequence === acknowledged;
      waiting = isFirst && packet.payloadBytes === fullBytes && !packet.push ? packet : null;
    }
  }
  return seen;
}
