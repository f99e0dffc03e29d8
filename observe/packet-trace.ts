/** Builds a load's packet trace (schema/trace.ts): each host reports the packets that it sent; they are matched with arrivals at the other end. */
import type { SentPackets, ServerObservation } from "../schema/observation.ts";
import { frameColumnsOf } from "../schema/stream-trace.ts";
import { tcpStateColumnsOf } from "../schema/tcp-states.ts";
import { columnsOf, type DirectionColumns, flagBits, type Trace, type TracedFlow } from "../schema/trace.ts";
import { Arrivals } from "./arrivals.ts";
import { framePartsOf, frameTypes, isHttp2 } from "./http2-frames.ts";
import type { ConnectionSecrets } from "./key-log.ts";
import { beyond, microseconds, type Packet, portOf } from "./packet.ts";
import type { QuicDatagram } from "./quic-conversations.ts";
import { tracedQuicFlows } from "./quic-trace.ts";
import type { TcpAccount } from "./tcp-events.ts";
import { type Conversation, conversations } from "./tcp-flows.ts";
import { type ClearRun, openTls } from "./tls-records.ts";

/** Navigation start and first request, by the client's clock, since the epoch. */
export interface Beginnings {
  navigationMs: number;
  firstRequestMs: number;
}

/** Returns the packets that one side sent on each connection, with times since the epoch. Their arrival times are added later. */
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

interface Client {
  packets: readonly Packet[];
  quic: readonly QuicDatagram[];
  sightings: Pick<ServerObservation["sightings"], "arrived">;
}
type Server = Pick<ServerObservation, "outgoing" | "quicFlows" | "sightings">;

/** @param client its capture has whole packets @param accounts the servers' TCP states; null if unknown */
export function traceOf(
  client: Client,
  servers: readonly Server[],
  { navigationMs, firstRequestMs }: Beginnings,
  secrets: readonly ConnectionSecrets[],
  accounts: readonly TcpAccount[] | null,
): Trace {
  const atServers = new Arrivals(servers.flatMap(({ sightings }) => sightings.arrived));
  const atClient = new Arrivals(client.sightings.arrived);
  const down = new Map(
    servers.flatMap(({ outgoing }) => outgoing).map((flow) => [`${flow.client} ${flow.server}`, flow]),
  );
  const all = conversations(client.packets);
  const flows = sentPackets(client.packets, true).map((up, i) => ({
    server: up.server,
    clientPort: portOf(up.client),
    down: joined(down.get(`${up.client} ${up.server}`), atClient, navigationMs),
    up: joined(up, atServers, navigationMs),
    ...framesOf(all[i]!, secrets),
    ...statesOf(accounts, up, navigationMs),
  }));
  const sent = servers.flatMap((server) => server.quicFlows);
  return {
    firstRequestUs: microseconds(firstRequestMs - navigationMs),
    flows,
    quicFlows: tracedQuicFlows(client.quic, { sent, atClient, atServers, secrets }, navigationMs),
  };
}

function statesOf(
  accounts: readonly TcpAccount[] | null,
  { client, server }: SentPackets,
  navigationMs: number,
): Pick<TracedFlow, "states"> {
  const account = accounts?.find((one) => one.client === client && one.server === server);
  if (!account) return {};
  const states = account.states.map((state) => ({ ...state, atUs: state.atUs - microseconds(navigationMs) }));
  return { states: tcpStateColumnsOf(states) };
}

const nothing = columnsOf([]);

/** Adds the arrival times at the other side to the packets that one side sent. */
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

/** Makes the first time relative to navigation start instead of the epoch. Later times do not change: each counts from the time before it. */
const since = ([first, ...rest]: number[], navigationMs: number): number[] =>
  first === undefined ? [] : [first - microseconds(navigationMs), ...rest];

/** Finds the positions of HTTP/2's frames in a connection's bytes; none if the connection cannot be decrypted or uses another protocol. */
function framesOf(conversation: Conversation, secrets: readonly ConnectionSecrets[]): Pick<TracedFlow, "frames"> {
  const clear = secrets.length > 0 ? openTls(conversation, secrets) : null;
  if (!clear || !isHttp2(clear.up)) return {};
  const columns = (runs: readonly ClearRun[], byClient: boolean) =>
    frameColumnsOf(framePartsOf(runs, byClient).filter(({ type }) => streamTypes.has(type)));
  return { frames: { down: columns(clear.down, false), up: columns(clear.up, true) } };
}

/** Types of frames that carry requests and responses. */
const streamTypes: ReadonlySet<number> = new Set(Object.values(frameTypes));
