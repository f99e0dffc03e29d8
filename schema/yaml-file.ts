import { readFileSync, statSync } from "node:fs";
import { type Document, isScalar, parseDocument, visit } from "yaml";
import type { z } from "zod";
import { usageError } from "./errors.ts";

/** The most bytes of a YAML file: enough for a page with thousands of files. Parsing a larger file takes minutes. */
const mostBytes = 2e6;
/** The most aliases that a file may have. For each alias, the parser searches the whole document. */
const mostAliases = 1000;

/** @throws LabError (usage) that names file and place, for invalid YAML, a duplicate or unknown key, a wrong value, or too large a file */
export function readYamlFile<T>(path: string, schema: z.ZodType<T>, expand = (text: string) => text): T {
  return check(parsed(expand(readTextFile(path, mostBytes)), path), schema, path);
}

/** @param advice ends the message about a file that is too large @throws LabError (usage) that names the file */
export function readTextFile(path: string, mostBytes: number, advice = ""): string {
  try {
    const { size } = statSync(path);
    if (size > mostBytes)
      throw new Error(`it has ${Math.round(size / 1e6)} MB; at most ${mostBytes / 1e6} MB are allowed${advice}`);
    return readFileSync(path, "utf8");
  } catch (error) {
    throw usageError(`cannot read ${path}: ${(error as Error).message}`);
  }
}

/** A cache from texts to their values, because a command reads the same files for each run that it judges. */
const known = new Map<string, unknown>();

/** @throws LabError (usage) that names the file */
export function parsed(text: string, path: string): unknown {
  if (!known.has(text)) known.set(text, parse(text, path));
  return structuredClone(known.get(text));
}

function parse(text: string, path: string): unknown {
  try {
    const document = parseDocument(text, { merge: true, uniqueKeys: false }); // uniqueKeys would compare every pair of keys
    const problem = document.errors[0]?.message ?? duplicateKey(document, text) ?? tooManyAliases(document);
    if (problem) throw new Error(problem);
    return document.toJS(); // throws if nested aliases would expand to too many values
  } catch (error) {
    const { message } = error as Error;
    throw usageError(`${path}: ${/call stack/.test(message) ? "it is nested too deeply" : message}`);
  }
}

function tooManyAliases(document: Document.Parsed): string | null {
  let count = 0;
  visit(document, { Alias: () => (++count > mostAliases ? visit.BREAK : undefined) });
  return count > mostAliases ? `it has more than ${mostAliases} aliases (*name)` : null;
}

function duplicateKey(document: Document.Parsed, text: string): string | null {
  let found: string | null = null;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        const value = isScalar(key) ? key.value : key;
        if (keys.has(value) && value !== "<<") {
          const line = text.slice(0, isScalar(key) ? (key.range?.[0] ?? 0) : 0).split("\n").length;
          found = `map keys must be unique: "${value}" is repeated in line ${line}`;
          return visit.BREAK;
        }
        keys.add(value);
      }
      return undefined;
    },
  });
  return found;
}

/** @throws LabError (usage) that lists every place that does not match */
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
