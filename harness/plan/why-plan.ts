/** The plan of `./lab why`: two values of one axis, and the causes that are removed on both sides, in all combinations. */
import { z } from "zod";
import type { AxisValue, Values } from "../../schema/plan.ts";
import { axisName, axisValuesSchema, text } from "./comparisons.ts";

/** The most causes, unless a run is quick. All combinations of five causes on both sides are 64 conditions. */
export const mostCauses = 5;
/** The most causes of a quick run, which has four conditions for each cause. The lab defines fewer causes, and `Removed` has enough bits. */
const mostQuickCauses = 20;

const side = z.union([z.literal(0), z.literal(1)]);

const planSchema = z.strictObject({
  /** The axis that is compared, and its two values. */
  compared: axisName,
  sides: z.tuple([z.union([z.string(), z.number()]), z.union([z.string(), z.number()])]),
  /** The values of other axes, which both sides share. */
  fixed: axisValuesSchema,
  causes: z.array(
    z.strictObject({
      name: text,
      /** The axis values that remove the cause. */
      removed: axisValuesSchema,
      /** The sides that have the cause: the first, the second, or both. */
      from: z.array(side).nonempty(),
    }),
  ),
  /** Causes that a side has but that cannot be removed. Their effect is part of the difference that remains when all other causes are removed. */
  notRemoved: z.array(z.strictObject({ name: text, reason: text })),
  /** Only some combinations of causes are removed: none, each cause alone, all causes but one, and all. */
  quick: z.literal(true).optional(),
  /** Set if the loads only choose the causes of the following run, which has this number of loads of each condition. */
  choosesFor: z.int().positive().optional(),
  /** Causes that the run with `choosesFor` left out, because removing them changed the difference least. */
  leftOut: z.array(text).optional(),
});
export const whyPlanSchema = planSchema.refine(
  ({ causes: { length }, quick }) => length >= 1 && length <= (quick ? mostQuickCauses : mostCauses),
  `why: from 1 to ${mostCauses} causes are allowed, and up to ${mostQuickCauses} in a quick run`,
);
export type WhyPlan = z.infer<typeof whyPlanSchema>;

export type Question = Pick<WhyPlan, "compared" | "sides" | "fixed">;

/** A set of causes that are removed: bit i is the cause with index i. */
export type Removed = number;

export const isRemoved = (removed: Removed, cause: number): boolean => (removed & (1 << cause)) !== 0;

export function removedSets({ causes: { length }, quick }: Pick<WhyPlan, "causes" | "quick">): Removed[] {
  const all = (1 << length) - 1;
  if (!quick) return Array.from({ length: all + 1 }, (_, set) => set);
  const single = Array.from({ length }, (_, cause) => 1 << cause);
  return [...new Set([0, ...single, ...single.map((one) => all ^ one), all])];
}

/** Returns one side's values of the compared axis and of all axes that can remove a cause. @param own the side's values with all causes */
export function rowOf({ compared, sides, causes }: WhyPlan, own: Values, index: 0 | 1, removed: Removed): Values {
  const names = causes.flatMap((cause) => Object.keys(cause.removed));
  const row: Record<string, AxisValue> = {
    [compared]: sides[index],
    ...Object.fromEntries(names.map((name) => [name, own[name]!])),
  };
  causes.forEach(({ removed: values, from }, i) => {
    if (isRemoved(removed, i) && from.includes(index)) Object.assign(row, values);
  });
  return row;
}
