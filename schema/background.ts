/** Other traffic on the link: TCP flows beside a page's load, how they are started, and what a load's record says about them. */
import { z } from "zod";
import { type Direction, directions, fullQueueMs, type Link } from "./link.ts";
import { windowBounds } from "./packet-evidence.ts";

export const backgroundSchema = z.strictObject({
  /** How many flows send towards the client (`down`) and from the client (`up`) at the same time. */
  down: z.int().nonnegative(),
  up: z.int().nonnegative(),
  /** The flows' congestion control, which may differ from that of the page's connections. */
  congestion: z.enum(["cubic", "bbr"]),
  /** For flows that send segment by segment, as to a video player. Absent for bulk flows, which always have more to send. */
  segment: z.strictObject({ bytes: z.int().positive(), everyMs: z.int().positive() }).optional(),
  /** For flows of another page, loaded again and again. Each visit loads a document, then equal images, over `down` new connections. */
  visit: z
    .strictObject({ documentBytes: z.int().positive(), images: z.int().positive(), imageBytes: z.int().positive() })
    .optional(),
  /** The initial congestion window of the other page's connections, segments. If absent, it is the measured page's window. */
  initcwnd: z.int().positive().optional(),
  /** Milliseconds from a step's end (`backgroundSteps`) to the load: random for each block, to meet all phases of the flows' windows (a sawtooth). */
  drawnMs: z.int().nonnegative().optional(),
});
export type Background = z.infer<typeof backgroundSchema>;
export type BackgroundPageVisit = NonNullable<Background["visit"]>;

/** The first server's ports for the flows of each direction, and for another page. No measured page uses these ports. */
export const backgroundPorts: Readonly<Record<Direction | "page", number>> = { down: 5210, up: 5211, page: 5212 };
const suffixes = Object.values(backgroundPorts).map((port) => `:${port}`);

/** Whether a packet's source or destination is the server's end of a background flow, such as "198.18.1.11:5210". */
export const isBackgroundEnd = (end: string): boolean => suffixes.some((suffix) => end.endsWith(suffix));
export const isOfBackground = ({ source, destination }: { source: string; destination: string }): boolean =>
  isBackgroundEnd(source) || isBackgroundEnd(destination);

/**
 * The time since the flows started is divided into at most `most` steps of `ms` each. The load begins `drawnMs` after the end of the first
 * step at which all flows have settled. So all loads of a block, whatever their protocol, meet flows of the same age.
 */
export const backgroundSteps = { ms: 5000, most: 30 };

const leastSettledMs = 1000;
const settledRoundTrips = 3;
/** The longest time that packets wait under an AQM, which keeps the queue far below its limit once a flow is past its start. */
const mostManagedMs = 1000;

/**
 * Returns how long flows must have been past their start before the load begins: a few of the longest round trips. A CUBIC flow's start ends with
 * its sender's first retransmission or ECN mark, when it has filled its share of the queue once; a BBR flow's start with the states Startup and
 * Drain. The start of a flow that sends segments ends when its first segment is delivered, another page's start with the first visit.
 */
export function settledMs(link: Link, background: Pick<Background, Direction>): number {
  const mostMs = link.aqm ? mostManagedMs : Number.POSITIVE_INFINITY;
  const queues = directions.map((direction) =>
    background[direction] > 0 ? Math.min(fullQueueMs(link, direction), mostMs) : 0,
  );
  const longestMs = queues.reduce((sum, ms) => sum + ms, link.rttMs + 2 * (link.jitterMs ?? 0));
  return Math.max(leastSettledMs, Math.ceil(settledRoundTrips * longestMs));
}

/** The state of a flow, as its sender reports it. The client's port identifies the flow. */
export const senderState = z.strictObject({
  clientPort: z.int(),
  congestion: z.string(),
  isPastStart: z.boolean(),
  /** Bytes that the sending program has begun to send, but that TCP has not delivered yet. */
  waitingBytes: z.int().nonnegative(),
});
export type SenderState = z.infer<typeof senderState>;

const count = z.int().nonnegative();

/** What one direction of the link delivered: bytes of frames, and how many of them belonged to background flows. */
const carried = z.strictObject({ bytes: count, ofBackground: count });
export type Carried = z.infer<typeof carried>;
const carriedIn = z.strictObject({ ms: z.number(), down: carried, up: carried });

/** The length of the steps in which a load's record counts the bytes of background flows that the link delivered. */
export const shareStepMs = 100;

const flow = z.strictObject({
  direction: z.enum(directions),
  clientPort: z.int(),
  /** The time from the flow's SYN to the load's beginning. */
  openedMs: z.number(),
  /** The time from the load's beginning to the flow's first FIN or RST; absent while the flow is open. */
  endedMs: z.number().optional(),
  /** What the sender's kernel reported when the page had loaded: congestion control and waiting bytes; absent if the sender's socket was closed. */
  congestion: z.string().optional(),
  waitingBytes: count.optional(),
  /** For how long the flow was past its start when the load began; absent if it was not past its start. */
  settledMs: z.number().optional(),
  /** Payload that the flow's receiver acknowledged: in all (`ever`), and in the spans `before` and `during` of `backgroundEvidence`. */
  goodBytes: z.strictObject({ ever: count, before: count, during: count }),
});
export type BackgroundFlow = z.infer<typeof flow>;

const visit = z.strictObject({
  /** The time from the visit's first SYN to the load's beginning; below 0 if the visit began during the load. */
  openedMs: z.number(),
  /** The time from the load's beginning to the visit's first FIN or RST; below 0 if this was earlier; absent while all connections are open. */
  endedMs: z.number().optional(),
  connections: count,
  /** The congestion control that the server's kernel reported for connections that were still open when the page had loaded. */
  congestion: z.string().optional(),
  /** What the server's capture shows of the initial window of the visit's connections; absent if no connection shows anything. */
  initcwnd: windowBounds.optional(),
  /** Payload that arrived at the client. */
  bytes: count,
});
export type BackgroundVisit = z.infer<typeof visit>;

export const backgroundEvidence = z.strictObject({
  /** How long after a step (`backgroundSteps`) the load began; absent for a load that belongs to no block. */
  drawnMs: count.optional(),
  /** Times since the link was set up, with no packets on it: until the load began, and (`linkMs`) until the link's counters were read. */
  sinceSetUpMs: z.number(),
  linkMs: z.number(),
  /** What the link delivered in the last `settledMs` before the load, and during the load. */
  before: carriedIn,
  during: carriedIn,
  /** Bytes of frames of background flows that the link delivered in each `shareStepMs` of the load. */
  inSteps: z.strictObject({ down: z.array(count), up: z.array(count) }),
  flows: z.array(flow),
  /** If the background is another page: its visits since the link's set-up; `flows` is then empty. */
  visits: z.array(visit).optional(),
  /** Packets of flows that had begun before the link was set up. */
  strayPackets: count,
});
export type BackgroundEvidence = z.infer<typeof backgroundEvidence>;
