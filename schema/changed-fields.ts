import { isDeepStrictEqual } from "node:util";

/** Returns how two versions of a record (JSON) differ, in words: "machine.cores was 4 and is 8". Arrays are compared as a whole. */
export function changedFields(before: unknown, after: unknown, path = ""): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const names = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})]);
  if (!was || !is || names.size === 0) return [`${path} was ${shown(before)} and is ${shown(after)}`];
  return [...names].flatMap((name) => changedFields(was[name], is[name], path ? `${path}.${name}` : name));
}

/** Returns null for a value that is not a record. An absent value counts as a record without fields. */
const fieldsOf = (value: unknown = {}): Record<string, unknown> | null =>
  typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;

/** Writes a value as JSON, because other text would not distinguish "1" from 1, or [1, 2] from "1,2". */
const shown = (value: unknown): string => JSON.stringify(value) ?? "absent";
