/** What is to be loaded: a condition, and a place in the plan. */
import { z } from "zod";
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
