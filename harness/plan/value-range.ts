/** Reads ranges of numbers, which may be given instead of single values. "10..1000" means five values, in even steps of the logarithm. */
import type { ZodType } from "zod";
import type { AxisValue } from "../../schema/plan.ts";

/** The default number of values of a range, including both ends; "10..1000:9" has nine. */
const usualValues = 5;
const mostValues = 100;
/** Values between the ends are rounded to this number of digits, or to a whole number if the axis allows only whole numbers. */
const digits = 3;

const pattern = /^(.+?)\.\.(.+?)(?::(\d+))?$/;

/** @returns null for text that is not a range of numbers @throws Error for an invalid range, with an example of a valid one */
export function valuesInRange(value: ZodType<AxisValue>, text: string): AxisValue[] | null {
  const [, from = "", to = "", given] = pattern.exec(text.trim()) ?? [];
  const [first, last] = [from, to].map((end) => value.safeParse(end.trim()).data);
  if (typeof first !== "number" || typeof last !== "number") return null;
  const count = given === undefined ? usualValues : Number(given);
  if (!(first > 0 && last > first))
    throw new Error(`"${text}" is not a range: a range goes from a number above 0 to a larger one, as in 10..1000`);
  if (count < 2 || count > mostValues)
    throw new Error(`"${text}" is a range of ${count} values; 2 to ${mostValues} are allowed, as in 10..1000:9`);
  const between = Array.from({ length: count - 2 }, (_, i) =>
    nearest(value, first * (last / first) ** ((i + 1) / (count - 1)), text),
  );
  return [...new Set([first, ...between, last])];
}

function nearest(value: ZodType<AxisValue>, number: number, text: string): AxisValue {
  for (const one of [Number(number.toPrecision(digits)), Math.round(number)]) {
    const parsed = value.safeParse(one);
    if (parsed.success) return parsed.data;
  }
  throw new Error(
    `"${text}" is not a range of this axis: one of its values would be ${number.toPrecision(digits)}, which the axis does not allow`,
  );
}
