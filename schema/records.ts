/** The schemas of the lines in a run's files. Lines are checked when written and when read, and never rewritten. */
import { z } from "zod";
import { evidenceSchema } from "./evidence.ts";
import { linkSchema } from "./link.ts";

const clock = z.enum(["real", "virtual"]);
/** The clock that times were measured with; virtual time does not include the time of computing. */
export type Clock = z.infer<typeof clock>;
export const clockSchema = clock;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Which valid loads keep their trace: all, those of the first block, or none. */
export const tracesKept = ["all", "first", "none"] as const;
export const tracesKeptSchema = z.enum(tracesKept);
export type TracesKept = z.infer<typeof tracesKeptSchema>;

/**
 * A load's line: which load it is, its configured condition in flat fields (`rttMs`, `protocol`, ...; axes/), and, if it did not fail,
 * its metrics (`pageLoadMs`, ...; metrics/).
 */
const load = {
  condition: z.string(),
  block: z.int().positive(),
  /** Counted from 1. */
  attempt: z.int().positive(),
  /** The lane that made it. */
  lane: z.int().nonnegative(),
  startedAt: z.iso.datetime(),
  /** From asking for the condition to its line. */
  wallMs: z.number().nonnegative(),
};
const goodLoad = z.looseObject({
  ...load,
  ok: z.literal(true),
  pageLoadMs: z.number(),
  evidence: evidenceSchema,
  /** SHA-256 of its trace (schema/trace.ts), where the run keeps it. */
  trace: sha256.optional(),
});
const failedLoad = z.looseObject({
  ...load,
  ok: z.literal(false),
  reason: z.string(),
  evidence: evidenceSchema.optional(),
});
export const loadSchema = z.discriminatedUnion("ok", [goodLoad, failedLoad]);

/** The fields of a successful load's line that do not belong to an axis. */
export const loadFields: ReadonlySet<string> = new Set(Object.keys(goodLoad.shape));

export type LoadRecord = z.infer<typeof loadSchema>;
export type GoodLoad = z.infer<typeof goodLoad>;
export type FailedLoad = z.infer<typeof failedLoad>;

/** A measured number. It is NaN if nothing arrived, which is null in a file. */
const figure = z.union([z.number(), z.nan(), z.null().transform(() => Number.NaN)]);
const directionMeasurement = z.strictObject({
  /** What a small packet takes in an idle link, median, with its serialisation. */
  delayMs: figure,
  /** Rate of the full link, Mb/s, with all headers: what `rate` means to netem. */
  rateMbps: figure,
  /** Random loss in a link that is not full, and the packets it was counted over. */
  lossPercent: figure,
  packets: z.number(),
  /** Length of the full queue, by what a packet takes in the full link beyond the delay, median. */
  queuePackets: figure,
  /** Of a link with jitter: its range, by the middle half of the small packets' delays. */
  jitterMs: figure.optional(),
  /** Of a link that loses in bursts: how many packets in a row, on average. */
  lossBurstPackets: figure.optional(),
});
export type DirectionMeasurement = z.infer<typeof directionMeasurement>;

const linkMeasurement = z.strictObject({
  /** Of TCP's handshake, small packets in an idle link. */
  rttMs: z.strictObject({ median: figure, p99: figure }),
  /** Of many TCP connections down the link, and the most the rate allows after headers. */
  goodputMbps: figure,
  goodputLimitMbps: figure,
  down: directionMeasurement,
  up: directionMeasurement,
});
export type LinkMeasurement = z.infer<typeof linkMeasurement>;

/** A line of calibration.jsonl: a measurement of a link. */
export const calibrationSchema = z.strictObject({
  /** The chunk it was measured in, and which of its measurements it is, as in "3.0". */
  calibration: z.string(),
  /** By what it is (linkName). */
  link: z.string(),
  /** What it was configured to be. */
  configured: linkSchema,
  measuredAt: z.iso.datetime(),
  attempt: z.int().positive(),
  measured: linkMeasurement,
  /** What is out of tolerance; empty for the link that was asked for. */
  deviations: z.array(z.string()),
  /** No further attempt follows. */
  final: z.boolean(),
});
export type Calibration = z.infer<typeof calibrationSchema>;

/** A line of lanes.jsonl: what a lane's loads and calibrations ran on, in enough detail to explain later why two runs differ. */
export const laneSchema = z.strictObject({
  /** Its number is its chunk's: a lane works on one chunk, and ends. */
  lane: z.int().nonnegative(),
  startedAt: z.iso.datetime(),
  /** Link -> the calibration that vouches for it when the lane begins. */
  calibrations: z.record(z.string(), z.string()),
  substrate: z.string(),
  clock,
  shaper: z.strictObject({
    name: z.string(),
    kernel: z.string(),
    devices: z.strictObject({ access: z.string(), core: z.string() }),
  }),
  machine: z.strictObject({ cpu: z.string(), cores: z.int(), memoryMiB: z.int(), kernel: z.string() }),
  versions: z.record(z.string(), z.string()),
  /** Whether Chromium's own sandbox was on. */
  sandbox: z.boolean(),
  /** As the harness's host has them; the servers' are the same kernel's and compose.yml's. */
  sysctls: z.record(z.string(), z.string()),
});
export type Lane = z.infer<typeof laneSchema>;
