/** Finds why the client could send each packet of a connection. */
import type { AskedPackets, Connection } from "./connection-deliveries.ts";
import { readAt } from "./deliveries.ts";
import type { LoadEvent } from "./event.ts";
import { windowCause } from "./flow-events.ts";
import type { PacketEvents } from "./link-events.ts";
import { quicRecoveryOf, sameBurstUs } from "./recovery.ts";

/** A request's packet leaves within this time after the browser reports the request as sent, because another thread writes the packet. */
export const handingUs = 5000;

/** A request's packet may leave this much earlier than the reported time, because another process of the browser records the time. */
const notedUs = 1000;

/** Returns the events that caused a connection to be opened. @param syn the connection's first packet */
type OpenersOf = (syn: LoadEvent) => LoadEvent[];

export function clientPacketCauses(connection: Connection, openersOf: OpenersOf): void {
  if (connection.asked) quicPacketCauses(connection, connection.asked, openersOf);
  else tcpPacketCauses(connection, openersOf);
}

function tcpPacketCauses({ flow, answers, requests }: Connection, openersOf: OpenersOf): void {
  let [waiting, next] = [false, 0];
  for (const packet of flow.up.packets) {
    const { sent, sentUs, syn, bytes } = packet;
    const read = readAt(answers, sentUs)?.delivered;
    const room = windowCause(packet, flow.up, flow.down);
    while (next < requests.length && requests[next]!.sent.atUs <= sentUs + notedUs) next++;
    const handed = requests[next - 1]?.sent;
    // A client also sends data that needs no response, such as HTTP/2's window updates.
    const isRequest = handed && (sentUs - handed.atUs <= handingUs || (waiting && room.length > 0));
    packet.asks = syn || (bytes > 0 && (sent.opening || Boolean(isRequest)));
    if (bytes > 0) waiting = Boolean(isRequest);
    if (syn) sent.causes = openersOf(sent).map((from) => ({ from, takes: [] }));
    else if (bytes > 0 && !sent.opening && isRequest) sent.causes = [{ from: handed, takes: [] }, ...room];
    else sent.causes = [{ from: read ?? flow.up.packets[0]!.sent, takes: [] }];
  }
}

/** Decrypted QUIC packets show which request a packet carries, and which lost packet's data it retransmits. */
function quicPacketCauses({ flow, answers, requests }: Connection, asked: AskedPackets, openersOf: OpenersOf): void {
  const eventsOf = new Map(requests.map((one) => [one.request, one]));
  const { packets } = flow.up;
  let before: PacketEvents | undefined;
  for (const packet of packets) {
    const { sent, sentUs, syn, bytes, place } = packet;
    const request = asked.requests.get(place);
    const handed = request && eventsOf.get(request)?.sent;
    const lost = packets[asked.repeated.get(place) ?? -1];
    packet.asks = syn || request !== undefined || lost !== undefined || (bytes > 0 && sent.opening);
    if (syn) sent.causes = openersOf(sent).map((from) => ({ from, takes: [] }));
    else if (handed) {
      // The client's window and its pacer may delay requests, too.
      const room = windowCause(packet, flow.up, flow.down);
      if (before && sentUs - handed.atUs > handingUs) sent.rest = "pacing";
      sent.causes = [handed, ...(before ? [before.sent] : [])].map((from) => ({ from, takes: [] }));
      sent.causes.push(...room);
    } else if (lost) {
      sent.rest = quicRecoveryOf(lost, packet, flow.down.all);
      sent.causes = [{ from: lost.sent, takes: [] }];
    } else sent.causes = [{ from: readAt(answers, sentUs)?.delivered ?? packets[0]!.sent, takes: [] }];
    if (bytes > 0) before = packet;
  }
  for (let i = packets.length - 2; i >= 0; i--) joinProbe(packets[i]!, packets[i + 1]!);
}

/** A client whose probe timeout expires may send an acknowledgment first, and then the lost data: both packets waited for the timeout. */
function joinProbe(packet: PacketEvents, next: PacketEvents): void {
  if (packet.asks || next.sent.rest !== "tail probe" || next.sentUs - packet.sentUs > sameBurstUs) return;
  packet.sent.rest = next.sent.rest;
  packet.sent.causes = next.sent.causes;
}
