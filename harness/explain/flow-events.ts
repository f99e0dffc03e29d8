/** The events of one TCP connection: what let each side send what it sent, and when the other could read it. */
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

/** Clients are left at Linux's own (RFC 6928); a trace does not show what a server was configured for. */
const leastWindows = { request: 10, answer: 1 };

/**
 * @param rows become the packets: a copy of each costs more than all else here
 * @param openedUs when the client could send its first request: what was sent before is the handshake
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

/** Data that was sent first, when all before it is there too: what the other side's program can read. */
export interface Delivery {
  packet: PacketEvents;
  delivered: LoadEvent;
}

/**
 * Where one packet was lost, all that came behind it waited: what that cost is from when the last of them had come to when
 * its repetition came.
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
    if (!came) continue; // the load did without it
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

/** The last that could be read at a moment: deliveries are in their order. */
export const readAt = (all: readonly Delivery[], atUs: number): Delivery | undefined =>
  lastUntil(atUs, all, ({ delivered }) => delivered.atUs);

/** What let the server send each packet: what the client asked, or an acknowledgment that made room in its window. */
export function serverCauses({ down, up }: FlowEvents, questions: readonly Delivery[]): void {
  for (const [i, packet] of down.packets.entries()) {
    const asked = readAt(questions, packet.sentUs);
    if (asked) packet.sent.causes.push({ from: asked.delivered, takes: [] });
    if (i > 0) packet.sent.causes.push({ from: down.packets[i - 1]!.sent, takes: [] });
    packet.sent.causes.push(...windowCause(packet, down, up));
  }
}

/**
 * A packet that left as soon as an acknowledgment came had waited for it; and that for the last data that had come before it
 * was sent: a round trip, which with a larger window it would not have waited.
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

/** Slow start doubles what is in flight in a round trip; where it grows less than this, it has ended. */
const slowStartGrowth = 1.5;

/** Of what one acknowledgment let out. */
function lastOfBurst(packet: PacketEvents, { packets }: SideEvents): PacketEvents {
  let i = packet.place;
  while (packets[i + 1] && packets[i + 1]!.sentUs - packet.sentUs <= sameBurstUs) i++;
  return packets[i]!;
}

/** @param before what was sent a round trip earlier */
function windowPart(packet: PacketEvents, before: PacketEvents, own: SideEvents, answers: SideEvents): WindowPart {
  if (own.firstRepetitionUs <= packet.sentUs) return "window after loss";
  const seen = answers.all.lastAt(packet.sentUs)!;
  const inFlight = ({ offset, bytes, sentUs }: PacketEvents) =>
    offset + bytes - (answers.all.lastAt(sentUs)?.acknowledged ?? 0);
  const letOut = inFlight(lastOfBurst(packet, own));
  const isReceivers = letOut + packet.bytes > seen.window;
  return !isReceivers && letOut < slowStartGrowth * inFlight(before) ? "slow start left" : "window";
}
