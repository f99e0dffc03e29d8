import { z } from "zod";

/** An object that says which keys it may have when it is given another. */
export function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown key ${issue.keys.map((key) => `"${key}"`).join(", ")}; allowed: ${Object.keys(shape).join(", ")}`
        : undefined,
  });
}
