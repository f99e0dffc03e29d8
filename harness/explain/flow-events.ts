/** The events of one TCP connection: why each side could send a packet when it did, and when the other side could read it. */
import { standardWindow } from "../../schema/linux.ts";
import type { TracedPacket } from "../../schema/trace.ts";
import { type Cause, event, type LoadEvent } from "./event.ts";
import { arrivalOf, type PacketEvents } from "./link-events.ts";
import type { Part, WindowPart } from "./parts.ts";
import { Arrived, atOnceUs, lastUntil, recoveryOf, sameBurstUs } from "./recovery.ts";
import type { SideEvents } from "./side-events.ts";
import { mayBeFull } from "./window-full.ts";

export interface FlowEvents {
  number: number;
  name: string;
  down: SideEvents;
  up: SideEvents;
}

/** Lower bounds of initial windows. Clients use Linux's default; a trace does not show the server's setting. */
const leastWindows = { request: standardWindow, answer: 1 };

/**
 * @param rows are turned into the result in place, because copying each packet would take most of the time
 * @param openedUs when the client could send its first request; packets sent before belong to the handshake
 */
export function packetEvents(
  rows: readonly TracedPacket[],
  direction: "answer" | "request",
  { number, name }: { number: number; name: string },
  openedUs: number,
  delayUs: number,
): SideEvents {
  const packets = rows.map((row, place) => {
    const what = `${direction} ${row.syn ? "SYN" : row.bytes ? `bytes ${row.offset}-${row.offset + row.bytes}` : "ACK"} on ${name}`;
    const opening = row.sentUs < openedUs;
    const rest = direction === "answer" ? "server" : "browser";
    const sent = event(row.sentUs, `${what} is sent`, rest, { flow: number, opening });
    const arrival = arrivalOf(`${what} arrives`, row, number, opening);
    return Object.assign(row, { place, flow: number, asks: false, sent, arrival });
  });
  const firstRepetitionUs = packets.find(({ repeated }) => repeated)?.sentUs ?? Infinity;
  return {
    packets,
    data: new Arrived(packets.filter(carries)),
    all: new Arrived(packets),
    delayUs,
    leastWindow: leastWindows[direction],
    firstRepetitionUs,
  };
}

const carries = ({ bytes, syn }: TracedPacket) => bytes > 0 || syn;

/** A packet of new data, and when the other side's program could read it: all earlier data had to arrive too. */
export interface Delivery {
  packet: PacketEvents;
  delivered: LoadEvent;
}

/**
 * All data behind a lost packet waits for its retransmission. The loss costs the time from the arrival of the last of this data to
 * the arrival of the retransmission.
 */
export function deliveries(own: readonly PacketEvents[], answers: Arrived<PacketEvents>): Delivery[] {
  let calm: LoadEvent | null = null;
  let blocked: { untilUs: number; how: Part } = { untilUs: 0, how: "unknown" };
  const repetitions = own.filter((packet) => packet.arrivedUs !== null && (packet.repeated || packet.syn));
  const firstSyn = own.find(({ syn }) => syn);
  const told: Delivery[] = [];
  for (const packet of own) {
    if (!carries(packet) || packet.repeated || (packet.syn && packet !== firstSyn)) continue;
    const came = packet.arrivedUs === null ? repetitions.find((again) => repeats(again, packet)) : packet;
    if (!came) continue; // never delivered, and not needed by the load
    const what = packet.arrival.what.replace("arrives", "can be read");
    const news = { flow: packet.flow, opening: packet.arrival.opening };
    const before: LoadEvent | null = calm;
    calm = event(Math.max(packet.arrival.atUs, before?.atUs ?? 0), what, "unknown", {
      ...news,
      causes: [packet.arrival, ...(before ? [before] : [])].map((from) => ({ from, takes: [] })),
    });
    if (came.arrivedUs! > blocked.untilUs)
      blocked = { untilUs: came.arrivedUs!, how: came === packet ? "unknown" : recoveryOf(packet, came, own, answers) };
    const atUs = Math.max(calm.atUs, blocked.untilUs);
    told.push({ packet, delivered: event(atUs, what, blocked.how, { ...news, causes: [{ from: calm, takes: [] }] }) });
  }
  return told;
}

const repeats = (again: PacketEvents, lost: PacketEvents) =>
  again.sentUs > lost.sentUs &&
  again.syn === lost.syn &&
  again.offset <= lost.offset &&
  again.offset + again.bytes >= lost.offset + lost.bytes;

/** The last delivery until this moment. @param all in the order of their times */
export const readAt = (all: readonly Delivery[], atUs: number): Delivery | undefined =>
  lastUntil(atUs, all, ({ delivered }) => delivered.atUs);

/** Why the server could send each packet: because of a request, or of an acknowledgment that made room in its window. */
export function serverCauses({ down, up }: FlowEvents, questions: readonly Delivery[]): void {
  for (const [i, packet] of down.packets.entries()) {
    const asked = readAt(questions, packet.sentUs);
    if (asked) packet.sent.causes.push({ from: asked.delivered, takes: [] });
    if (i > 0) packet.sent.causes.push({ from: down.packets[i - 1]!.sent, takes: [] });
    packet.sent.causes.push(...windowCause(packet, down, up));
  }
}

/**
 * A packet that left as soon as an acknowledgment arrived had waited for it. The acknowledgment in turn had waited for the data that
 * it acknowledges. So the packet waited for a round trip, which a larger window would have avoided.
 */
export function windowCause(packet: PacketEvents, own: SideEvents, answers: SideEvents): Cause[] {
  const made = answers.all.lastAt(packet.sentUs);
  if (packet.bytes === 0 || !made || made.asks || made.syn || packet.sentUs - made.arrivedUs! > atOnceUs) return [];
  const acknowledged = own.data.lastAt(made.sentUs);
  if (!acknowledged || !mayBeFull(packet, own, answers)) return [];
  const tookUs = made.arrivedUs! - made.sentUs;
  const heldUs = packet.sentUs - tookUs - acknowledged.arrivedUs!;
  const part = windowPart(packet, acknowledged, own, answers);
  return [{ from: acknowledged.arrival, window: part, takes: [{ part, us: tookUs + heldUs }] }];
}

/** Slow start doubles the data in flight in a round trip. If it grows by a smaller factor than this, slow start has ended. */
const slowStartGrowth = 1.5;

/** The last of the packets that one acknowledgment released. */
function lastOfBurst(packet: PacketEvents, { packets }: SideEvents): PacketEvents {
  let i = packet.place;
  while (packets[i + 1] && packets[i + 1]!.sentUs - packet.sentUs <= sameBurstUs) i++;
  return packets[i]!;
}

/** @param before the packet whose acknowledgment this one waited for, sent a round trip earlier */
function windowPart(packet: PacketEvents, before: PacketEvents, own: SideEvents, answers: SideEvents): WindowPart {
  if (own.firstRepetitionUs <= packet.sentUs) return "window after loss";
  const seen = answers.all.lastAt(packet.sentUs)!;
  const inFlight = ({ offset, bytes, sentUs }: PacketEvents) =>
    offset + bytes - (answers.all.lastAt(sentUs)?.acknowledged ?? 0);
  const letOut = inFlight(lastOfBurst(packet, own));
  const isReceivers = letOut + packet.bytes > seen.window;
  return !isReceivers && letOut < slowStartGrowth * inFlight(before) ? "slow start left" : "window";
}
