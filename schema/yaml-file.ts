import { readFileSync } from "node:fs";
import { parseDocument } from "yaml";
import type { z } from "zod";
import { usageError } from "./errors.ts";

/**
 * Reads a YAML file and checks it against its schema.
 * @throws LabError (usage) that names the file and the place: no YAML, a duplicate key, an unknown key, a wrong value
 */
export function readYamlFile<T>(path: string, schema: z.ZodType<T>, expand = (text: string) => text): T {
  let text: string;
  try {
    text = expand(readFileSync(path, "utf8"));
  } catch (error) {
    throw usageError(`cannot read ${path}: ${(error as Error).message}`);
  }
  const document = parseDocument(text, { merge: true });
  if (document.errors[0]) throw usageError(`${path}: ${document.errors[0].message}`);
  return check(document.toJS(), schema, path);
}

/** Checks `value` against `schema`. @throws LabError (usage) that lists every place that does not match */
export function check<T>(value: unknown, schema: z.ZodType<T>, name: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => {
    const place = issue.path.join(".");
    const isMissing = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
    return `${name}${place && `: ${place}`}: ${isMissing ? `it is missing; its type must be ${issue.expected}` : issue.message}`;
  });
  throw usageError(problems.join("\n"));
}
