/** What is to be loaded: a condition, a place in the plan, and the piece of work that a lane is given. */
import { z } from "zod";
import { registriesSchema } from "./registries.ts";
import { settingsSchema } from "./settings.ts";

const axisValue = z.union([z.string(), z.number()]);
export type AxisValue = z.infer<typeof axisValue>;

/** Axis -> value, complete: every axis has one, and a link's name stands beside what it is made of. */
const values = z.record(z.string(), axisValue);
export type Values = Readonly<z.infer<typeof values>>;

/** One cell of an experiment. Its id follows from its values alone, so it is the same in every experiment. */
export const conditionSchema = z.strictObject({
  id: z.string(),
  values,
  /** The values as the flat fields of a load's line: "rttMs": 100. */
  fields: values,
  settings: settingsSchema,
});
export type Condition = z.infer<typeof conditionSchema>;

/** A load to make: a condition in a block. Blocks and attempts count from 1. */
export const plannedLoadSchema = z.strictObject({ block: z.int(), attempt: z.int(), condition: conditionSchema });
export type PlannedLoad = z.infer<typeof plannedLoadSchema>;

/** What a lane is given, complete in itself. */
export const chunkSchema = z.strictObject({
  /** Counted over the whole run, from 0: on the virtual clock, what its lane draws and when it starts follow from it. */
  number: z.int().nonnegative(),
  /** Links to measure before the loads, each by a condition that has it. */
  calibrate: z.array(conditionSchema),
  /** Link -> its last calibration before this chunk. */
  calibrations: z.record(z.string(), z.string()),
  loads: z.array(plannedLoadSchema),
  /** In place of all that: a condition for each variant of a brought page of which it is to be learnt what it asks for. */
  learn: z.array(conditionSchema).optional(),
  /** In place of all that: conditions of each of which an extra load, that is no sample, is made with everything that there is to see. */
  capture: z.array(conditionSchema).optional(),
  registries: registriesSchema,
  timeoutMs: z.number().positive(),
});
export type Chunk = z.infer<typeof chunkSchema>;
