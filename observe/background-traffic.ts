/** Evidence of background flows before and during a load, from the captures. */
import type { BackgroundEvidence, BackgroundFlow, Carried, SenderState } from "../schema/background.ts";
import { backgroundPorts, isBackgroundEnd, shareStepMs } from "../schema/background.ts";
import type { Direction } from "../schema/link.ts";
import type { Sighting, Span } from "../schema/observation.ts";
import { backgroundVisits, isOfPage, type PageWindows } from "./background-visits.ts";
import { beyond, type Packet, portOf, roundedMs } from "./packet.ts";
import { type Conversation, conversations } from "./tcp-flows.ts";

export interface Seen {
  /** Packets of background flows in the client's capture, in both directions. */
  packets: readonly Packet[];
  /** The packets of the page and of background flows that arrived at the client and at all servers. */
  arrived: Record<Direction, readonly Sighting[]>;
}

/** The state of background flows when the page has loaded, as their senders and the lab report it. */
export interface FlowsTold {
  drawnMs: number | undefined;
  /** How long flows must have been past their start when the load begins (`settledMs` in schema/background.ts). */
  settledMs: number;
  senders: readonly SenderState[];
  /** A flow's client port -> when it was first seen past its start, milliseconds since the epoch. */
  pastStartMs: ReadonlyMap<number, number>;
}

/** What is known from sources other than the client's capture. */
export interface Told extends FlowsTold {
  pageWindows: PageWindows;
}

/** @param load the load's span @param link from the link's set-up until its counters were read @returns null without background flows */
export function backgroundEvidence(
  { packets, arrived }: Seen,
  load: Span,
  link: Span,
  told: Told,
): BackgroundEvidence | null {
  if (packets.length === 0) return null;
  const all = conversations(packets);
  const [visiting, flows] = [all.filter(isOfPage), all.filter((flow) => !isOfPage(flow))];
  const before = { fromMs: load.fromMs - told.settledMs, toMs: load.fromMs };
  const known = all.reduce((sum, flow) => sum + flow.packets.length, 0);
  const marks = { down: new Set<number>(), up: new Set<number>() };
  for (const { mark, destination } of packets) marks[isBackgroundEnd(destination) ? "up" : "down"].add(mark);
  const carriedIn = (span: Span) => ({
    ms: roundedMs(span.toMs - span.fromMs),
    down: carried(arrived.down, marks.down, span),
    up: carried(arrived.up, marks.up, span),
  });
  return {
    ...(told.drawnMs !== undefined && { drawnMs: told.drawnMs }),
    sinceSetUpMs: roundedMs(load.fromMs - link.fromMs),
    linkMs: roundedMs(link.toMs - link.fromMs),
    before: carriedIn(before),
    during: carriedIn(load),
    inSteps: { down: inSteps(arrived.down, marks.down, load), up: inSteps(arrived.up, marks.up, load) },
    flows: flows.map((flow) => flowEvidence(flow, before, load, told)),
    ...(visiting.length > 0 && { visits: backgroundVisits(visiting, load, told.senders, told.pageWindows) }),
    strayPackets: packets.length - known,
  };
}

const isWithin = (ms: number, { fromMs, toMs }: Span) => ms > fromMs && ms <= toMs;

function carried(arrived: readonly Sighting[], ofBackground: ReadonlySet<number>, span: Span): Carried {
  const sum: Carried = { bytes: 0, ofBackground: 0 };
  for (const [timeMs, bytes, mark] of arrived) {
    if (!isWithin(timeMs, span)) continue;
    sum.bytes += bytes;
    if (ofBackground.has(mark)) sum.ofBackground += bytes;
  }
  return sum;
}

function inSteps(arrived: readonly Sighting[], ofBackground: ReadonlySet<number>, span: Span): number[] {
  const steps: number[] = new Array(Math.ceil((span.toMs - span.fromMs) / shareStepMs)).fill(0);
  for (const [timeMs, bytes, mark] of arrived) {
    if (!isWithin(timeMs, span) || !ofBackground.has(mark)) continue;
    const step = Math.ceil((timeMs - span.fromMs) / shareStepMs) - 1;
    steps[step] = (steps[step] ?? 0) + bytes;
  }
  return steps;
}

function flowEvidence(
  { client, server, packets }: Conversation,
  before: Span,
  load: Span,
  { senders, pastStartMs }: Told,
): BackgroundFlow {
  const clientPort = portOf(client);
  const direction = server.endsWith(`:${backgroundPorts.up}`) ? "up" : "down";
  const sender = senders.find((one) => one.clientPort === clientPort);
  const end = packets.find(({ packet }) => packet.fin || packet.reset)?.packet;
  const pastMs = pastStartMs.get(clientPort);
  const acknowledged = acknowledgedBy(packets, direction === "down");
  return {
    direction,
    clientPort,
    openedMs: roundedMs(load.fromMs - packets[0]!.packet.timeMs),
    ...(end && { endedMs: roundedMs(end.timeMs - load.fromMs) }),
    ...(sender && { congestion: sender.congestion, waitingBytes: sender.waitingBytes }),
    ...(pastMs !== undefined && pastMs <= load.fromMs && { settledMs: roundedMs(load.fromMs - pastMs) }),
    goodBytes: {
      ever: acknowledged(load.toMs),
      before: acknowledged(before.toMs) - acknowledged(before.fromMs),
      during: acknowledged(load.toMs) - acknowledged(load.fromMs),
    },
  };
}

/** Returns a function that counts the bytes that the receiver has acknowledged by a time. @param byClient whether the client receives */
function acknowledgedBy(packets: Conversation["packets"], byClient: boolean): (untilMs: number) => number {
  const opening = packets.find(({ packet, fromClient }) => fromClient !== byClient && packet.syn)?.packet;
  if (!opening) return () => 0;
  const acks: { ms: number; bytes: number }[] = [];
  for (const { packet, fromClient } of packets) {
    if (fromClient !== byClient || packet.syn || packet.reset) continue;
    const bytes = beyond(packet.acknowledgment, opening.sequence + 1);
    if (bytes > (acks.at(-1)?.bytes ?? 0)) acks.push({ ms: packet.timeMs, bytes });
  }
  return (untilMs) => acks.findLast(({ ms }) => ms <= untilMs)?.bytes ?? 0;
}
