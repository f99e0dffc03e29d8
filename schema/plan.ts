/** What to load: a condition, and its place in the plan. */
import { z } from "zod";
import { settingsSchema } from "./settings.ts";

const axisValue = z.union([z.string(), z.number()]);
export type AxisValue = z.infer<typeof axisValue>;

/** The values of some axes, by name. */
const values = z.record(z.string(), axisValue);
export type Values = Readonly<z.infer<typeof values>>;

/** The type of each axis's values. Each file in axes/ adds its own types. */
// biome-ignore lint/suspicious/noEmptyInterface: axes add to it
export interface AxisValues {}
export type AxisName = keyof AxisValues;

/** A value for every axis; a link's name is present together with the values that it stands for. */
export type ConditionValues = Readonly<{ [Name in AxisName]: AxisValues[Name] }>;

/** A condition's id follows from its values alone, so it is the same in every experiment. */
export const conditionSchema = z.strictObject({
  id: z.string(),
  values: z.custom<ConditionValues>((given) => values.safeParse(given).success),
  /** The values as the flat fields of a load's record: "rttMs": 100. */
  fields: values,
  settings: settingsSchema,
});
export type Condition = z.infer<typeof conditionSchema>;

/**
 * Set if all loads of a block lose the packets with the same numbers (counted from the first packet). The seed and the block's number
 * determine these numbers; in runs older than 2026-11-27 (`true`), the block's number alone does.
 */
export const sharedLossesSchema = z.union([
  z.literal(true),
  z.strictObject({
    seed: z
      .int()
      .min(0)
      .max(2 ** 32 - 1),
  }),
]);
export type SharedLosses = z.infer<typeof sharedLossesSchema>;

/** A load to make: a condition in a block. Blocks and attempts count from 1. */
export const plannedLoadSchema = z.strictObject({ block: z.int(), attempt: z.int(), condition: conditionSchema });
export type PlannedLoad = z.infer<typeof plannedLoadSchema>;
