/** Kinds of values that axes have, as files (numbers or text) and the command line (text) write them. */
import { z } from "zod";
import type { LabError } from "../schema/errors.ts";
import { inRange, parseQuantity, type Quantity } from "../schema/units.ts";

/** A number in the unit that its quantity's name ends with: as it is, or as text with its unit. */
export const quantity = (name: Quantity) =>
  z.union([z.number(), z.string()]).transform((given, context) => {
    try {
      return typeof given === "number" ? inRange(name, given, "") : parseQuantity(name, given, "");
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as LabError).message.replace(/^: /, "") });
      return z.NEVER;
    }
  });

/** A count. */
export const wholeNumber = (min: number, max: number) =>
  z
    .union([z.number(), z.string()])
    .refine((given) => /^\d+$/.test(String(given)) && Number(given) >= min && Number(given) <= max, {
      error: ({ input }) => `"${input}" is not a whole number from ${min} to ${max}`,
    })
    .transform(Number);

/** The name of something. */
export const name = z.union([z.string().min(1), z.number().transform(String)]);
