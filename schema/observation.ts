/** What hosts report about a load, as JSON over their control sockets. */
import { z } from "zod";
import { countBounds, directionCounters, directionParameters, quicServerFlow, serverFlow } from "./evidence.ts";
import { longColumns, longInts, longRows } from "./long-arrays.ts";
import { windowBounds } from "./packet-evidence.ts";
import type { DirectionColumns } from "./trace.ts";

const span = z.strictObject({ fromMs: z.number(), toMs: z.number() });
/** A span of time, milliseconds since the epoch. */
export type Span = z.infer<typeof span>;

/** The times between which packets are counted: those within `inner` certainly belong to the load, those outside `outer` certainly do not. */
export const spansSchema = z.strictObject({ inner: span, outer: span });
export type Spans = z.infer<typeof spansSchema>;

/** A packet in a capture: its time, the length of its frame, and a key that is the same at both ends (observe/packet.ts). */
export type Sighting = [timeMs: number, frameBytes: number, mark: number];
const sightings = longRows<Sighting>("number", "int", "int");

export const captureSummary = z.strictObject({
  sent: countBounds,
  arrived: countBounds,
  /** Packets that may belong to the load, in the order of the capture. */
  sightings: z.strictObject({ sent: sightings, arrived: sightings }),
  largestFrameBytes: z.int(),
  /** Descriptions of packets other than TCP and QUIC between hosts of the lab, without repetitions. */
  foreign: z.array(z.string()),
  missedFrames: z.int(),
  /** Packets that arrived with a wrong checksum. Of the other fields, only `arrived` counts them. Present if the link corrupts packets. */
  damaged: z.int().optional(),
  /** Packets of the load that arrived here and may be marked, and how many of them were marked (RFC 3168); absent if none arrived. */
  ecn: z.strictObject({ capable: z.int(), marked: z.int() }).optional(),
});

export type CaptureSummary = z.infer<typeof captureSummary>;

const columns = longColumns<DirectionColumns>({
  ...{ sentUs: "int", tookUs: "int or null", frameBytes: "int", bytes: "int", offset: "int" },
  ...{ acknowledged: "int", sacked: "int", window: "int", flags: "int" },
});

/** The packets that a host sent on one connection: their keys, and their columns, with sending times since the epoch but no arrival times. */
const sentPackets = z.strictObject({
  client: z.string(),
  server: z.string(),
  marks: longInts,
  columns,
});
export type SentPackets = z.infer<typeof sentPackets>;

const sentDatagrams = z.strictObject({
  sightings,
  /** The STREAM frames, as far as captured and decrypted: the datagram's key, the stream's ID, the position in the stream, bytes, FIN. */
  pieces: longRows<[mark: number, stream: number, offset: number, bytes: number, fin: boolean]>(
    ...(["int", "int", "int", "int", "boolean"] as const),
  ),
});
export type SentDatagrams = z.infer<typeof sentDatagrams>;

const observedQuicFlow = quicServerFlow.omit({ startMissed: true }).extend({
  client: z.string(),
  server: z.string(),
  /** The number of the client's first packet that arrived; null if it could not be read. */
  firstNumber: z.int().nullable(),
  outgoing: sentDatagrams,
});
export type ObservedQuicFlow = z.infer<typeof observedQuicFlow>;

export const serverObservation = captureSummary.extend({
  /** Connections, by their two ends: "198.18.0.10:40123", "198.18.1.11:4432". */
  flows: z.array(serverFlow.extend({ client: z.string(), server: z.string() })),
  quicFlows: z.array(observedQuicFlow),
  /** What the background page's connections show of their initial windows; absent if there were none. */
  pageWindows: z.array(windowBounds.extend({ client: z.string() })).optional(),
  /** Each packet that the server sent on the connections in `flows`, for the load's trace. */
  outgoing: z.array(sentPackets),
  /** Whether CUBIC's HyStart is on in the host's kernel; null if the kernel has no CUBIC. */
  hystart: z.boolean().nullable(),
  /** Whether tcp_no_metrics_save is not 1, so that a connection may inherit another's ssthresh. */
  metricsSaved: z.boolean(),
  /** The kernel parameters that the condition sets, with the kernel's values. */
  sysctls: z.record(z.string(), z.string()),
  /** The queueing discipline that the condition sets, as tc prints it. */
  qdisc: z.string().optional(),
  /** The congestion controls that the server's log names for QUIC connections; absent if the server has no such log. */
  quicCongestion: z.array(z.string()).optional(),
  /** The initial windows of QUIC connections by the server's log, in bytes; absent if the server has no such log. */
  quicInitialBytes: z.array(z.int().nonnegative()).optional(),
});
export type ServerObservation = z.infer<typeof serverObservation>;

/** What tc reports of one direction: its counters (`did`) and its parameters (`is`). */
const direction = z.strictObject({ did: directionCounters, is: directionParameters });
export const linkReading = z.strictObject({
  down: direction,
  up: direction,
  /** When the link's trace began, milliseconds since the epoch; absent for a link without a trace. */
  startedMs: z.number().optional(),
});
export type LinkReading = z.infer<typeof linkReading>;

export const shaperDescription = z.strictObject({
  /** Which kernel's netem shapes the link: this machine's, or a user-mode kernel's. */
  name: z.enum(["kernel", "uml"]),
  kernel: z.string(),
  /** The device of each direction, named after the network to which the device leads. */
  devices: z.strictObject({ access: z.string(), core: z.string() }),
});

/** One of calibration's UDP packets, in the capture of its sender or receiver. */
export const datagram = z.strictObject({
  /** Its sequence number. */
  number: z.int(),
  timeMs: z.number(),
  /** The length of the frame. */
  bytes: z.int(),
  /** Distinguishes the streams of consecutive tests. */
  clientPort: z.int(),
});
export type Datagram = z.infer<typeof datagram>;

/** Running totals of a PID namespace, in milliseconds except for memory. */
export const processorReading = z.strictObject({
  /** The PID namespace. Hosts that share a namespace report the same numbers. */
  namespace: z.string(),
  atMs: z.number(),
  /** Times of the whole machine: the time that any program used, and the time that other machines on the same hardware took (steal). */
  busyMs: z.number(),
  stealMs: z.number(),
  /** Time in which a program was ready but had to wait for a core (Pressure Stall Information); null without CONFIG_PSI. */
  waitMs: z.number().nullable(),
  labMs: z.number(),
  labMemoryMiB: z.number(),
  /** The command lines of the namespace's programs that last longer than a load, by process id. */
  lasting: z.record(z.string(), z.string()),
});
export type ProcessorReading = z.infer<typeof processorReading>;
