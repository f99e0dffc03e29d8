/** Whether a client delays its acknowledgments, by its own capture (RFC 9293, section 3.8.6.3). */
import type { FirstAcks } from "../schema/evidence.ts";
import type { Event } from "./initial-window.ts";
import { beyond, endOf, type Packet } from "./packet.ts";

/** Linux delays by 40 ms or more (TCP_DELACK_MIN); a program that reads what came, or a kernel that does not wait, takes less. */
const atOnceMs = 20;

/**
 * Of the first answer's full segments that came when all before them was acknowledged: how many were acknowledged at once and
 * alone, and how many waited for the next one or for a timer. What a server pushes is left out, for who has read all may
 * acknowledge it; so is what follows the client's next word, for Linux delays there by itself (an interactive session), and
 * what follows trouble.
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
      if (packet.timeMs - waiting.timeMs < atOnceMs) seen.atOnce++;
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
