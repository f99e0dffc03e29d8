/** Builds a load's packet trace (schema/trace.ts): each host reports the packets that it sent, and each is matched with its arrival. */
import type { SentPackets, ServerObservation, Sighting } from "../schema/observation.ts";
import { columnsOf, type DirectionColumns, flagBits, type Trace } from "../schema/trace.ts";
import { beyond, type Packet } from "./packet.ts";
import { type QuicDatagram, quicConversations } from "./quic-conversations.ts";
import { type Conversation, conversations } from "./tcp-flows.ts";

/** Navigation start and first request, by the client's clock, since the epoch. */
export interface Beginnings {
  navigationMs: number;
  firstRequestMs: number;
}

const microseconds = (ms: number) => Math.round(ms * 1000);

/** What one side sent on each connection, with times since the epoch. Arrivals are added later, from the other side. */
export const sentPackets = (packets: readonly Packet[], byClient: boolean): SentPackets[] =>
  conversations(packets).map(({ client, server, packets: all }) => {
    const sent = all.filter(({ fromClient }) => fromClient === byClient).map(({ packet }) => packet);
    return { client, server, marks: sent.map(({ mark }) => mark), columns: columnsOfSide(all, sent, byClient) };
  });

function columnsOfSide(all: Conversation["packets"], sent: readonly Packet[], byClient: boolean): DirectionColumns {
  const synOf = (side: boolean) => all.find(({ packet, fromClient }) => fromClient === side && packet.syn);
  const [own, other] = [synOf(byClient)?.packet, synOf(!byClient)?.packet];
  const acknowledges = (sequence: number) => (other ? Math.max(0, beyond(sequence, other.sequence + 1)) : 0);
  return columnsOf(
    sent.map((packet) => {
      const acknowledged = acknowledges(packet.acknowledgment);
      return {
        frameBytes: packet.frameBytes,
        sentUs: microseconds(packet.timeMs),
        arrivedUs: null,
        offset: own && !packet.syn ? beyond(packet.sequence, own.sequence + 1) : 0,
        bytes: packet.payloadBytes,
        acknowledged,
        sackedTo: packet.sackedTo === undefined ? acknowledged : acknowledges(packet.sackedTo),
        window: packet.syn ? packet.window : packet.window << (own?.windowScale ?? 0), // RFC 7323: never scaled in a SYN
        flags: flagsOf(packet),
      };
    }),
  );
}

const flagsOf = ({ syn, fin, reset, push }: Packet) =>
  (syn ? flagBits.syn : 0) + (fin ? flagBits.fin : 0) + (reset ? flagBits.reset : 0) + (push ? flagBits.push : 0);

/** The client's observation. */
interface Client {
  packets: readonly Packet[];
  quic: readonly QuicDatagram[];
  sightings: Pick<ServerObservation["sightings"], "arrived">;
}
type Server = Pick<ServerObservation, "outgoing" | "sightings">;

export function traceOf(
  client: Client,
  servers: readonly Server[],
  { navigationMs, firstRequestMs }: Beginnings,
): Trace {
  const atServers = new Arrivals(servers.flatMap(({ sightings }) => sightings.arrived));
  const atClient = new Arrivals(client.sightings.arrived);
  const down = new Map(
    servers.flatMap(({ outgoing }) => outgoing).map((flow) => [`${flow.client} ${flow.server}`, flow]),
  );
  const flows = sentPackets(client.packets, true).map((up) => ({
    server: up.server,
    clientPort: portOf(up.client),
    down: joined(down.get(`${up.client} ${up.server}`), atClient, navigationMs),
    up: joined(up, atServers, navigationMs),
  }));
  return {
    firstRequestUs: microseconds(firstRequestMs - navigationMs),
    flows,
    quicFlows: quicFlows(client.quic, servers, atServers, navigationMs),
  };
}

const portOf = (end: string) => Number(end.split(":")[1]);
const nothing = columnsOf([]);

/** What one side sent, with the arrival times from the other side. */
function joined(sent: SentPackets | undefined, arrivals: Arrivals, navigationMs: number): DirectionColumns {
  if (!sent) return nothing; // the connection never reached its server
  const { columns, marks } = sent;
  let sentUs = 0;
  const tookUs = columns.sentUs.map((sinceUs, i) => {
    sentUs += sinceUs;
    const arrivedUs = arrivals.take(marks[i]!, sentUs);
    return arrivedUs === null ? null : arrivedUs - sentUs;
  });
  return { ...columns, tookUs, sentUs: since(columns.sentUs, navigationMs) };
}

/** Makes the first time, which counts from the epoch, relative to navigation start. The others are differences already. */
const since = ([first, ...rest]: number[], navigationMs: number): number[] =>
  first === undefined ? [] : [first - microseconds(navigationMs), ...rest];

/** Arrival times by packet mark. */
class Arrivals {
  readonly #byMark = new Map<number, number[]>();

  constructor(sightings: readonly Sighting[]) {
    for (const [timeMs, , mark] of sightings) {
      const times = this.#byMark.get(mark) ?? [];
      times.push(microseconds(timeMs));
      this.#byMark.set(mark, times);
    }
  }

  /** Removes and returns the first arrival after `sentUs`, so that equal packets get different arrivals. */
  take(mark: number, sentUs: number): number | null {
    const times = this.#byMark.get(mark) ?? [];
    const i = times.findIndex((timeUs) => timeUs >= sentUs);
    return i < 0 ? null : times.splice(i, 1)[0]!;
  }
}

/** Datagrams from servers are taken from the client's capture, and their sending times from the server's capture. */
function quicFlows(
  datagrams: readonly QuicDatagram[],
  servers: readonly Server[],
  atServers: Arrivals,
  navigationMs: number,
): Trace["quicFlows"] {
  const leftAt = new Map(servers.flatMap(({ sightings }) => sightings.sent.map(([timeMs, , mark]) => [mark, timeMs])));
  return quicConversations(datagrams).map(({ client, server, datagrams: all }) => {
    const [up, down] = [true, false].map((mine) =>
      all
        .filter(({ fromClient }) => fromClient === mine)
        .map(({ packet: { timeMs, mark, frameBytes } }) => {
          const sentUs = microseconds(mine ? timeMs : (leftAt.get(mark) ?? timeMs));
          const arrivedUs = mine ? atServers.take(mark, sentUs) : microseconds(timeMs);
          return { sentUs, tookUs: arrivedUs === null ? null : arrivedUs - sentUs, frameBytes };
        })
        .sort((a, b) => a.sentUs - b.sentUs),
    );
    const columns = (rows: NonNullable<typeof up>) => ({
      sentUs: rows.map(({ sentUs }, i) => sentUs - (rows[i - 1]?.sentUs ?? microseconds(navigationMs))),
      tookUs: rows.map(({ tookUs }) => tookUs),
      frameBytes: rows.map(({ frameBytes }) => frameBytes),
    });
    return { server, clientPort: portOf(client), down: columns(down!), up: columns(up!) };
  });
}
