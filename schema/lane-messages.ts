/** What the runner sends to a lane, and what the lane answers. Both are checked where they are read. */
import { z } from "zod";
import { dialogsSchema } from "./evidence.ts";
import { fileNameSchema } from "./names.ts";
import { shownWindow } from "./picture.ts";
import { conditionSchema, plannedLoadSchema, sharedLossesSchema } from "./plan.ts";
import { calibrationSchema, laneSchema, loadSchema } from "./records.ts";
import { learntRequest, registriesSchema } from "./registries.ts";
import { measuringSchema } from "./settings.ts";
import { traceSchema } from "./trace.ts";

const everyChunk = {
  /** The chunk's number in the run, from 0. On the virtual clock it determines a lane's random numbers and start time. */
  number: z.int().nonnegative(),
  registries: registriesSchema,
  timeoutMs: z.number().positive(),
};
export const loadChunkSchema = z.strictObject({
  kind: z.literal("loads"),
  ...everyChunk,
  calibrate: z.array(measuringSchema),
  /** Link -> its last calibration before this chunk. */
  calibrations: z.record(z.string(), z.string()),
  loads: z.array(plannedLoadSchema),
  sharesLosses: sharedLossesSchema.optional(),
  /** The run's seed, for offsets in traces and delays beside background flows (harness/plan/seeded.ts); absent if no load has either. */
  offsetSeed: z.int().nonnegative().optional(),
});
/** Loads that are not samples, one for each condition: to learn what an imported page requests, or to capture everything about a load. */
const extraChunk = <Kind extends "learn" | "capture">(kind: Kind) =>
  z.strictObject({ kind: z.literal(kind), ...everyChunk, conditions: z.array(conditionSchema) });
const learnChunk = extraChunk("learn").extend({ looksAtWindow: z.literal(true).optional() });

export const chunkSchema = z.discriminatedUnion("kind", [loadChunkSchema, learnChunk, extraChunk("capture")]);
export type Chunk = z.infer<typeof chunkSchema>;
export type LoadChunk = z.infer<typeof loadChunkSchema>;

/** What an imported page requested in one load. It is recorded in the manifest before any load counts. */
const learntSchema = z.strictObject({
  page: z.string(),
  /** The variant of the load: what the page's requests depend on (axes/expected.ts). */
  as: z.string(),
  requests: z.array(learntRequest),
  /** Hosts outside the lab that the page's scripts addressed. They do not answer. */
  outside: z.array(z.string()),
  dialogs: dialogsSchema,
  /** Paths that were answered with 404, each with the page's file that was probably meant. */
  notFound: z.array(z.strictObject({ path: z.string(), file: z.string() })),
  /** Present if the chunk has `looksAtWindow`. */
  window: shownWindow.optional(),
});
export type Learnt = z.infer<typeof learntSchema>;

/** An extra load: its record, which the run's journals do not contain, and its files by name, in base64. */
const capturedSchema = z.strictObject({ load: loadSchema, files: z.record(fileNameSchema, z.base64()) });
export type Captured = z.infer<typeof capturedSchema>;

/** A failed load has no trace. */
const loadMessage = z.strictObject({ kind: z.literal("load"), load: loadSchema, trace: traceSchema.optional() });
export type LoadMessage = z.infer<typeof loadMessage>;

/** A lane prints one JSON line for each message: first the calibrations, then what the lane runs on, then the loads. */
export const laneMessageSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("calibration"), calibration: calibrationSchema }),
  z.strictObject({ kind: z.literal("lane"), lane: laneSchema }),
  loadMessage,
  z.strictObject({ kind: z.literal("learned"), learnt: learntSchema }),
  z.strictObject({ kind: z.literal("not learned"), reason: z.string() }),
  z.strictObject({ kind: z.literal("captured"), captured: capturedSchema }),
]);
export type LaneMessage = z.infer<typeof laneMessageSchema>;
