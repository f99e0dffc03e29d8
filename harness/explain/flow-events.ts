/** The events of one TCP connection: what let each side send what it sent, and when the client could read it. */
import type { TracedPacket } from "../../schema/trace.ts";
import { type Cause, event, type LoadEvent } from "./event.ts";
import { arrivalOf, type PacketEvents } from "./link-events.ts";
import type { Part } from "./parts.ts";
import { atOnceUs, lastArrived, recoveryOf } from "./recovery.ts";

/** A connection whose packets have events, but for what the link makes of them (link-events.ts). */
export interface FlowEvents {
  number: number;
  name: string;
  down: PacketEvents[];
  up: PacketEvents[];
}

/** @param openedUs when its first request was sent: what was sent before is its handshake */
export function packetEvents(
  rows: readonly TracedPacket[],
  direction: string,
  { number, name }: { number: number; name: string },
  openedUs: number,
): PacketEvents[] {
  return rows.map((row) => {
    const what = `${direction} ${row.syn ? "SYN" : row.bytes ? `bytes ${row.offset}-${row.offset + row.bytes}` : "ACK"} on ${name}`;
    const opening = row.sentUs < openedUs;
    const sent = event(row.sentUs, `${what} is sent`, "server", { flow: number, opening });
    return { ...row, flow: number, sent, arrival: arrivalOf(`${what} arrives`, row, number, opening) };
  });
}

const carries = ({ bytes, syn }: TracedPacket) => bytes > 0 || syn;

/** When all that a side sent first is there, in its order: what the other side's program can read. */
export interface Delivery {
  endOffset: number;
  sentUs: number;
  delivered: LoadEvent;
}

/**
 * Of all data that was sent first. Where one packet was lost, all that came behind it waited: what that cost is from when
 * the last of them had come to when its repetition came.
 */
export function deliveries(own: readonly PacketEvents[], answers: readonly TracedPacket[]): Delivery[] {
  let calm: LoadEvent | null = null;
  let held: { untilUs: number; how: Part } = { untilUs: 0, how: "untold" };
  return own
    .filter((packet) => carries(packet) && !packet.repeated && !isAgain(packet, own))
    .flatMap((packet) => {
      const came = packet.arrivedUs === null ? repetitionOf(packet, own) : packet;
      if (!came?.arrivedUs) return []; // it never came: the load did without it
      const { arrival, flow, offset, bytes } = packet;
      const what = arrival.what.replace("arrives", "can be read");
      const news = { flow, opening: arrival.opening };
      const calmUs: number = Math.max(arrival.atUs, calm?.atUs ?? 0);
      calm = event(calmUs, what, "untold", {
        ...news,
        causes: [{ from: arrival, takes: [] }, ...(calm ? [{ from: calm, takes: [] }] : [])],
      });
      if (came.arrivedUs > held.untilUs)
        held = { untilUs: came.arrivedUs, how: came === packet ? "untold" : recoveryOf(packet, came, own, answers) };
      const delivered = event(Math.max(calmUs, held.untilUs), what, held.how, {
        ...news,
        causes: [{ from: calm, takes: [] }],
      });
      return [{ endOffset: offset + bytes, sentUs: packet.sentUs, delivered }];
    });
}

/** A SYN is not told from its repetition by what it carries. */
const isAgain = (packet: PacketEvents, own: readonly PacketEvents[]) =>
  packet.syn && own.find(({ syn }) => syn) !== packet;

const repetitionOf = (lost: PacketEvents, own: readonly PacketEvents[]) =>
  own.find(
    (packet) =>
      packet.sentUs > lost.sentUs &&
      packet.arrivedUs !== null &&
      packet.syn === lost.syn &&
      packet.offset <= lost.offset &&
      packet.offset + packet.bytes >= lost.offset + lost.bytes,
  );

/** The last that could be read at a moment. */
export const readAt = (all: readonly Delivery[], atUs: number): Delivery | undefined =>
  all.findLast(({ delivered }) => delivered.atUs <= atUs);

/** What let the server send each packet: the client's data, or an acknowledgment that made room in its window. */
export function serverCauses({ down, up }: FlowEvents, requests: readonly Delivery[]): void {
  for (const [i, packet] of down.entries()) {
    const asked = readAt(requests, packet.sentUs);
    if (asked) packet.sent.causes.push({ from: asked.delivered, takes: [] });
    if (i > 0) packet.sent.causes.push({ from: down[i - 1]!.sent, takes: [] });
    packet.sent.causes.push(...windowCause(packet, down, up));
  }
}

/**
 * A packet that left as soon as an acknowledgment came had waited for it; and that for the last data that came before it was
 * sent: a round trip, which with a larger window it would not have waited.
 */
export function windowCause(
  packet: PacketEvents,
  own: readonly PacketEvents[],
  answers: readonly PacketEvents[],
): Cause[] {
  const made = lastArrived(answers, packet.sentUs);
  if (packet.bytes === 0 || !made || made.bytes > 0 || made.syn || packet.sentUs - made.arrivedUs! > atOnceUs)
    return [];
  const data = own.filter(carries);
  const acknowledged = lastArrived(data, made.sentUs) as PacketEvents | undefined;
  if (!acknowledged) return [];
  const tookUs = made.arrivedUs! - made.sentUs;
  const heldUs = packet.sentUs - tookUs - acknowledged.arrivedUs!;
  return [
    {
      from: acknowledged.arrival,
      window: true,
      takes: [
        { part: "window", unit: "rtt", us: tookUs },
        { part: "window", unit: "fixed", us: heldUs },
      ],
    },
  ];
}
