/** Schemas for the values of axes, which files give as numbers or text, and the command line as text. */
import { z } from "zod";
import type { LabError } from "../schema/errors.ts";
import { inRange, parseQuantity, type Quantity } from "../schema/units.ts";

/** A number in the unit at the end of the quantity's name, or text with a unit. */
export const quantity = (name: Quantity) =>
  z.union([z.number(), z.string()]).transform((given, context) => {
    try {
      return typeof given === "number" ? inRange(name, given, "") : parseQuantity(name, given, "");
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as LabError).message.replace(/^: /, "") });
      return z.NEVER;
    }
  });

/** A quantity that only exists as a whole number, such as of packets. */
export const wholeQuantity = (name: Quantity) =>
  quantity(name).refine(Number.isInteger, { error: ({ input }) => `${input} is no whole number` });

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
