/** What a connection's two programs wrote, packet by packet, and what each had waited for: not for the network's leave to send it. */
import type { LoadEvent } from "../event.ts";
import { type Delivery, readAt } from "../flow-events.ts";
import type { PacketEvents } from "../link-events.ts";
import type { Connection } from "../load-events.ts";
import type { Segment } from "./receiver.ts";

export interface Written {
  packet: PacketEvents;
  segment: Segment;
  /** What its program waited for, beside having written what is before it. */
  after: LoadEvent[];
  /** What the program took then. */
  thinkUs: number;
}

/** Of a stream whose first byte is the SYN. */
export const endOf = ({ syn, offset, bytes }: PacketEvents) => (syn ? 1 : offset + bytes + 1);

export const writtenByClient = ({ flow }: Connection): Written[] =>
  writtenOf(flow.up.packets, ({ sent }) => sent.causes.filter(({ window }) => !window).map(({ from }) => from));

export function writtenByServer(connection: Connection): Written[] {
  const questions = connection.questions.filter(({ packet }) => packet.asks);
  const needed = questionsNeeded(connection, questions);
  return writtenOf(connection.flow.down.packets, (packet) => {
    const last = readAt(questions, packet.sent.atUs)?.delivered;
    const needs = isHeldBack(packet) ? needed(packet) : undefined;
    const asked = needs && last && needs.atUs < last.atUs ? needs : last;
    return asked ? [asked] : [];
  });
}

const isHeldBack = ({ sent }: PacketEvents) => sent.causes.some(({ window }) => window);

function writtenOf(packets: readonly PacketEvents[], causesOf: (packet: PacketEvents) => LoadEvent[]): Written[] {
  const all: Written[] = [];
  let [end, lastUs] = [0, 0];
  for (const packet of packets) {
    if (endOf(packet) <= end || (packet.bytes === 0 && !packet.syn)) continue;
    const after = causesOf(packet);
    const readyUs = Math.max(lastUs, ...after.map(({ atUs }) => atUs));
    const segment = { start: end, end: endOf(packet), frameBytes: packet.frameBytes };
    all.push({ packet, segment, after, thinkUs: isHeldBack(packet) ? 0 : packet.sent.atUs - readyUs });
    [end, lastUs] = [segment.end, packet.sent.atUs];
  }
  return all;
}

/**
 * Of data that the window held back it is not seen when the program had it. A server answers what it was asked in turn, so it
 * is by then at the latest that it was asked for as many bytes; what headers and encryption add is shared evenly.
 */
function questionsNeeded({ flow, requests }: Connection, questions: readonly Delivery[]) {
  const ends = flow.down.packets.map(endOf);
  const handshakeEnd = Math.max(0, ...flow.down.packets.filter(({ sent }) => sent.opening).map(endOf));
  const bodies = requests.reduce((sum, { request }) => sum + request.bytes, 0);
  const overhead = (Math.max(...ends) - handshakeEnd - bodies) / requests.length;
  let end = handshakeEnd;
  const answers = requests.map(({ request, sent }) => {
    end += request.bytes + overhead;
    return {
      end,
      asked: questions.find(({ packet }) => packet.bytes > 0 && packet.sentUs >= sent.atUs - 200)?.delivered,
    };
  });
  return (packet: PacketEvents): LoadEvent | undefined =>
    endOf(packet) <= handshakeEnd ? undefined : answers.find((answer) => answer.end >= endOf(packet) - 1)?.asked;
}
