import { z } from "zod";

/** Makes an object schema whose error for an unknown key lists the allowed keys. */
export function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown key ${issue.keys.map((key) => `"${key}"`).join(", ")}; allowed: ${Object.keys(shape).join(", ")}`
        : undefined,
  });
}
