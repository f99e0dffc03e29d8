/** The schemas of the lines in a run's files. Lines are checked when written and when read, and never rewritten. */
import { z } from "zod";
import { evidenceSchema } from "./evidence.ts";
import { type Cause, causeOfOld, causeSchema, isOfRunner } from "./failure.ts";
import { linkSchema } from "./link.ts";
import { linkSamplesSchema } from "./link-samples.ts";

/** The clock that times were measured with; virtual time does not include the time of computing. */
export const clockSchema = z.enum(["real", "virtual"]);
export type Clock = z.infer<typeof clockSchema>;

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
/** Which valid loads keep their trace: all loads, the loads of the first block, or none. */
export const tracesKept = ["all", "first", "none"] as const;
export const tracesKeptSchema = z.enum(tracesKept);
export type TracesKept = z.infer<typeof tracesKeptSchema>;

/** Fields of each line in loads.jsonl. A line also has the condition's values (`rttMs`, ...; axes/) and, unless the load failed, its page load time and evidence. */
const load = {
  condition: z.string(),
  block: z.int().positive(),
  attempt: z.int().positive(),
  /** The number of the load's chunk (`chunkOf`). */
  lane: z.int().nonnegative(),
  startedAt: z.iso.datetime(),
  /** Time from the start of setting up the condition to the writing of this line. */
  wallMs: z.number().nonnegative(),
};
const goodLoad = z.looseObject({
  ...load,
  ok: z.literal(true),
  pageLoadMs: z.number(),
  evidence: evidenceSchema,
  /** SHA-256 of the load's trace (schema/trace.ts), if the run keeps the trace. */
  trace: sha256Schema.optional(),
});
const failedLine = z
  .looseObject({
    ...load,
    ok: z.literal(false),
    reason: z.string(),
    evidence: evidenceSchema.optional(),
    /** Since 2026-11-27. Older records get a cause when they are read. */
    cause: causeSchema.optional(),
  })
  .refine((line) => line.cause !== "lane ended" || isOfRunner(line), {
    path: ["cause"],
    message: `a line with the cause "lane ended" must have wallMs 0 and no evidence, because only the runner writes such lines`,
  });
export type FailedLoad = z.infer<typeof failedLine> & { cause: Cause };
// The cause comes last, whether it was recorded or not, so that a repeated load's record can be compared.
const failedLoad = failedLine.transform(
  ({ cause, ...line }): FailedLoad => ({ ...line, cause: cause ?? causeOfOld(line) }),
);
export const loadSchema = z.discriminatedUnion("ok", [goodLoad, failedLoad]);

/** The fields of a successful load's record that do not belong to an axis. */
export const loadFields: ReadonlySet<string> = new Set(Object.keys(goodLoad.shape));

export type LoadRecord = z.infer<typeof loadSchema>;
export type GoodLoad = z.infer<typeof goodLoad>;

/** A measured number. It is NaN if nothing arrived; files have null instead of NaN. */
const figure = z.union([z.number(), z.nan(), z.null().transform(() => Number.NaN)]);
const directionMeasurement = z.strictObject({
  /** Median one-way delay of a small packet in the idle link, including the transmission time of the packet. */
  delayMs: figure,
  /** Rate of the saturated link, Mb/s, with all headers that netem counts. */
  rateMbps: figure,
  /** Random loss while the link is not saturated, and the number of packets sent. */
  lossPercent: figure,
  packets: z.number(),
  /** Length of the full queue, from the median waiting time of a packet in the saturated link. */
  queuePackets: figure,
  /** For a link with jitter: the range of the jitter, computed from the middle half of the small packets' delays. */
  jitterMs: figure.optional(),
  /** For a link that loses packets in bursts: the mean number of packets lost in a row. */
  lossBurstPackets: figure.optional(),
  /** For a link with a trace: by how much the worst second's bytes differ from the trace's, after subtracting two packets. Since 2026-11-28. */
  traceOffPercent: figure.optional(),
});
export type DirectionMeasurement = z.infer<typeof directionMeasurement>;

const linkMeasurement = z.strictObject({
  /** RTT of TCP handshakes in the idle link. */
  rttMs: z.strictObject({ median: figure, p99: figure }),
  /** Goodput of many TCP connections towards the client, and the highest goodput that the link's rate allows after headers. */
  goodputMbps: figure,
  goodputLimitMbps: figure,
  down: directionMeasurement,
  up: directionMeasurement,
});
export type LinkMeasurement = z.infer<typeof linkMeasurement>;

/** A line of calibration.jsonl: a measurement of a link. */
export const calibrationSchema = z.strictObject({
  /** The number of the chunk and the number of the measurement within the chunk, as in "3.0". */
  calibration: z.string(),
  /** The link's name, which follows from the link's properties (`linkName`). */
  link: z.string(),
  configured: linkSchema,
  measuredAt: z.iso.datetime(),
  attempt: z.int().positive(),
  /** Absent in records from before 2026-11-23. */
  samples: linkSamplesSchema.optional(),
  /** Computed from the samples (harness/judge/link/estimates.ts). */
  measured: linkMeasurement,
  /** What is out of tolerance; empty if the link is as configured. */
  deviations: z.array(z.string()),
  /** Whether this was the last attempt. */
  final: z.boolean(),
});
export type Calibration = z.infer<typeof calibrationSchema>;

/** A line of lanes.jsonl: what a lane's loads and calibrations ran on, in enough detail to explain later why two runs differ. */
export const laneSchema = z.strictObject({
  /** The number of the lane's chunk (`chunkOf`). */
  lane: z.int().nonnegative(),
  startedAt: z.iso.datetime(),
  /** Link -> the calibration that is valid when the lane starts. */
  calibrations: z.record(z.string(), z.string()),
  substrate: z.string(),
  clock: clockSchema,
  shaper: z.strictObject({
    name: z.string(),
    kernel: z.string(),
    devices: z.strictObject({ access: z.string(), core: z.string() }),
  }),
  machine: z.strictObject({ cpu: z.string(), cores: z.int(), memoryMiB: z.int(), kernel: z.string() }),
  versions: z.record(z.string(), z.string()),
  /** Whether Chromium's own sandbox was on. */
  sandbox: z.boolean(),
  /** Kernel parameters of the harness's host. The servers' hosts have the same kernel, and the parameters that compose.yml sets. */
  sysctls: z.record(z.string(), z.string()),
  /** Host -> the parameters in `sysctls` and those that the lane's conditions set, read before the first load; absent if the conditions set none. */
  serverSysctls: z.record(z.string(), z.record(z.string(), z.string())).optional(),
});
export type Lane = z.infer<typeof laneSchema>;

/** Returns a line's chunk. A lane works on one chunk and then ends, so lines call the chunk `lane`; calibration "3.0" belongs to chunk 3. */
export const chunkOf = (line: { lane: number } | { calibration: string }): number =>
  "lane" in line ? line.lane : Number(line.calibration.split(".")[0]);
