/** Builds the events of one connection, which show why each side could send a packet when it did. */
import { standardWindow } from "../../schema/linux.ts";
import type { TracedPacket } from "../../schema/trace.ts";
import { carries, type Delivery, readAt } from "./deliveries.ts";
import { type Cause, event, lastCause, readyUs, type Span } from "./event.ts";
import { arrivalOf, inFrontOf, type PacketEvents, type SideEvents, sendingUs } from "./link-events.ts";
import type { WindowPart } from "./parts.ts";
import { Arrived, atOnceUs, sameBurstUs } from "./recovery.ts";
import { mayBeFull } from "./window-full.ts";

export interface FlowEvents {
  number: number;
  name: string;
  down: SideEvents;
  up: SideEvents;
}

/** Lower bounds of initial windows, in packets. Clients use Linux's default; traces do not show the servers' setting. */
const leastWindows = { request: standardWindow, answer: 1 };

/**
 * @param rows the packets, which are turned into the result in place, because copying them would take most of the time
 * @param openedUs when the client could send its first request; earlier packets belong to the handshake
 */
export function packetEvents(
  rows: readonly TracedPacket[],
  direction: "answer" | "request",
  { number, name }: { number: number; name: string },
  openedUs: number,
  farUs = 0,
): SideEvents {
  const packets = rows.map((row, place) => {
    const what = `${direction} ${row.syn ? "SYN" : row.bytes ? `bytes ${row.offset}-${row.offset + row.bytes}` : "ACK"} on ${name}`;
    const opening = row.sentUs < openedUs;
    const rest = direction === "answer" ? "server" : "browser";
    const sent = event(row.sentUs, `${what} is sent`, rest, { flow: number, opening });
    const arrival = arrivalOf(`${what} arrives`, row, number, opening);
    return Object.assign(row, { place, flow: number, farUs, asks: false, sent, arrival });
  });
  const firstRepetitionUs = packets.find(({ repeated }) => repeated)?.sentUs ?? Infinity;
  return {
    packets,
    data: new Arrived(packets.filter(carries)),
    all: new Arrived(packets),
    leastWindow: leastWindows[direction],
    firstRepetitionUs,
  };
}

/** Finds the request or acknowledgment that let the server send each packet. @param paces whether the server may also wait to spread packets */
export function serverCauses({ down, up }: FlowEvents, questions: readonly Delivery[], paces: boolean): void {
  let before: PacketEvents | undefined;
  for (const packet of down.packets) {
    const asked = readAt(questions, packet.sentUs);
    if (asked) packet.sent.causes.push({ from: asked.delivered, takes: [] });
    const room = windowCause(packet, down, up);
    const isPaced = paces && room.length === 0 && isWithinResponse(before, asked, packet);
    if (isPaced) packet.sent.rest = "pacing";
    // All packets of a burst waited for the acknowledgment that released the burst, and so did packets that the pacer delays.
    const window = isPaced && before ? lastCause(before.sent)?.window : paces && room[0]?.window;
    if (before) packet.sent.causes.push({ from: before.sent, takes: [], ...(window && { window }) });
    packet.sent.causes.push(...room);
    if (packet.bytes > 0 || !before) before = packet;
  }
}

/** Whether a packet continues a response: the server has already sent another packet since the last request arrived. */
const isWithinResponse = (
  before: PacketEvents | undefined,
  asked: Delivery | undefined,
  { bytes, sent }: PacketEvents,
) => bytes > 0 && !sent.opening && before !== undefined && asked !== undefined && asked.delivered.atUs <= before.sentUs;

/** A packet that left as soon as an acknowledgment arrived had waited for a round trip, which a larger window would have avoided. */
export function windowCause(packet: PacketEvents, own: SideEvents, answers: SideEvents): Cause[] {
  const made = answers.all.lastAt(packet.sentUs);
  if (packet.bytes === 0 || !made || made.asks || made.syn || packet.sentUs - made.arrivedUs! > atOnceUs) return [];
  const acknowledged = own.data.lastAt(made.sentUs);
  if (!acknowledged || !mayBeFull(packet, own, answers)) return [];
  const tookUs = made.arrivedUs! - made.sentUs;
  const heldUs = packet.sentUs - tookUs - acknowledged.arrivedUs!;
  const part = windowPart(packet, acknowledged, own, answers);
  const queued = queueWaits(made);
  const us = tookUs + heldUs - queued.reduce((sum, wait) => sum + wait.us, 0);
  return [{ from: acknowledged.arrival, window: part, takes: [{ part, us }, ...queued] }];
}

/** Splits an acknowledgment's wait in the bottleneck's queue: behind the page's packets, and behind those of background flows. */
function queueWaits({ arrival }: PacketEvents): Span[] {
  const emptyLinkUs = readyUs(arrival.causes[0]!);
  const reachedUs = emptyLinkUs - sendingUs(arrival); // when it reached the queue
  let pagesUs = 0;
  for (let one = inFrontOf(arrival); one && one.atUs > reachedUs; one = inFrontOf(one))
    pagesUs += Math.min(sendingUs(one), one.atUs - reachedUs);
  const waitedUs = arrival.atUs - emptyLinkUs;
  const waits: Span[] = [{ part: "acknowledgments", us: Math.min(pagesUs, waitedUs) }];
  if (arrival.rest === "background") waits.push({ part: "background", us: waitedUs - pagesUs });
  return waits.filter(({ us }) => us > 0);
}

/** Slow start doubles the data in flight in a round trip. Growth by less than this factor shows that slow start has ended. */
const slowStartGrowth = 1.5;

function lastOfBurst(packet: PacketEvents, { packets }: SideEvents): PacketEvents {
  let i = packet.place;
  while (packets[i + 1] && packets[i + 1]!.sentUs - packet.sentUs <= sameBurstUs) i++;
  return packets[i]!;
}

/** @param before the packet, sent a round trip earlier, for whose acknowledgment this packet waited */
function windowPart(packet: PacketEvents, before: PacketEvents, own: SideEvents, answers: SideEvents): WindowPart {
  if (own.firstRepetitionUs <= packet.sentUs) return "window after loss";
  const seen = answers.all.lastAt(packet.sentUs)!;
  const inFlight = ({ offset, bytes, sentUs }: PacketEvents) =>
    offset + bytes - (answers.all.lastAt(sentUs)?.acknowledged ?? 0);
  const letOut = inFlight(lastOfBurst(packet, own));
  const isReceivers = letOut + packet.bytes > seen.window;
  return !isReceivers && letOut < slowStartGrowth * inFlight(before) ? "slow start left" : "window";
}
