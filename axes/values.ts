/** Schemas for the values of axes. Files give values as numbers or text; the command line gives text. */
import { inspect } from "node:util";
import { z } from "zod";
import type { LabError } from "../schema/errors.ts";
import { exampleOf, inRange, parseQuantity, type Quantity } from "../schema/units.ts";

/** A YAML file may contain a value of any type: the message quotes it and says what is allowed. */
const numberOrText = (allowed: string) => z.union([z.number(), z.string()], notA(allowed));

export const notA = (allowed: string) => ({
  error: ({ input }: { input?: unknown }) => `${shown(input)} is not ${allowed}`,
});

/** A value as a message quotes it. */
export const shown = (input: unknown): string =>
  typeof input === "object" && input !== null ? inspect(input, { depth: 1, breakLength: Infinity }) : `"${input}"`;

/** Text with a unit, or a number in the unit with which the quantity's name ends. On the command line, this number is text. */
export const quantity = (name: Quantity) =>
  numberOrText(`a value like "${exampleOf(name)}"`).transform((given, context) => {
    try {
      const isNumber = typeof given === "number" || /^\d+(\.\d+)?$/.test(given);
      return isNumber ? inRange(name, Number(given), "") : parseQuantity(name, given, "");
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as LabError).message.replace(/^: /, "") });
      return z.NEVER;
    }
  });

export const wholeNumber = (min: number, max: number) => {
  const allowed = `a whole number from ${min} to ${max}`;
  return numberOrText(allowed)
    .refine((given) => /^\d+$/.test(String(given)) && Number(given) >= min && Number(given) <= max, notA(allowed))
    .transform(Number);
};

/** The name of something. YAML reads some names as numbers. */
export const name = numberOrText("a name")
  .transform(String)
  .pipe(z.string().min(1, notA("a name")));

/** One of these words. YAML reads some of them as numbers. */
export const oneOf = <const Word extends string>(words: readonly Word[]) =>
  numberOrText(`one of ${words.join(", ")}`)
    .transform(String)
    .pipe(z.enum(words, notA(`one of ${words.join(", ")}`)));
