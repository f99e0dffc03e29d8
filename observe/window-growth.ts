/** How fast a server's window grows in slow start, measured in the server's capture. The growth depends on byte counting (RFC 3465). */
import { median } from "simple-statistics";
import { beforeTrouble, type Event, play } from "./initial-window.ts";

/**
 * Measures by how many segments the window grew for each ACK of two segments, while there was more to send: the median over bursts, because
 * Linux may hold segments back until the next ACK (TSO deferral). @returns null if no burst came after ACKs of two segments only
 */
export function windowGrowth(events: readonly Event[]): number | null {
  const growths: number[] = [];
  let burst = { acks: 0, sent: 0 };
  let fullBytes = 0;
  let lastBytes = 0;
  let counts = false; // only acknowledgments of two segments arrived since the last burst
  const end = () => {
    if (counts && burst.sent > 0 && lastBytes === fullBytes) growths.push((burst.sent - 2 * burst.acks) / burst.acks);
    if (burst.sent > 0) [burst, counts] = [{ acks: 0, sent: 0 }, true];
  };
  play(beforeTrouble(events), ({ packet, fromClient }, _, acknowledged) => {
    if (!fromClient) {
      if (packet.payloadBytes === 0) return;
      burst.sent++;
      lastBytes = packet.payloadBytes;
      fullBytes = Math.max(fullBytes, lastBytes);
      return;
    }
    end();
    burst.acks++;
    counts &&= acknowledged.length === 2 && packet.payloadBytes === 0;
  });
  return growths.length ? median(growths) : null;
}
