/**
 * Files that an experiment's folder adds to the lab, or that a run has kept from there. Each has the path that it would have in the checkout,
 * such as axes/ports.axis.ts. A command has one folder of these files (harness/record/added), which registries read through this module.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { usageError } from "../schema/errors.ts";
import { pathInsideSchema } from "../schema/names.ts";
import { environment } from "./environment.ts";

/** The index in the folder of added files: path -> the SHA-256 of the file's content. */
export const addedIndex = "files.json";
export const addedSchema = z.record(pathInsideSchema, z.string().regex(/^[0-9a-f]{64}$/, "it is not a SHA-256"));
export type AddedFiles = Readonly<z.infer<typeof addedSchema>>;

let folder = environment.added;
let known: AddedFiles | undefined;

/** Must be called before any registry is imported, because a registry reads the folder when it is imported. Child processes inherit the folder. */
export function useAdded(path: string | undefined): void {
  [folder, known] = [path, undefined];
  if (path === undefined) delete process.env.LAB_ADDED;
  else process.env.LAB_ADDED = path;
}

export const addedFolder = (): string | undefined => folder;

export function addedFiles(): AddedFiles {
  known ??= folder === undefined ? {} : addedSchema.parse(JSON.parse(readFileSync(`${folder}/${addedIndex}`, "utf8")));
  return known;
}

/** Returns the real path of an added file or folder; undefined if it was not added. */
export const addedPath = (path: string): string | undefined =>
  Object.keys(addedFiles()).some((file) => file === path || file.startsWith(`${path}/`))
    ? `${folder}/${path}`
    : undefined;

/** Replaces the paths of added scripts in a command by their real paths. */
export const withAddedPaths = (command: readonly string[]): string[] =>
  command.map((word) => (word in addedFiles() ? `${folder}/${word}` : word));

/** Checks whether a file is code that runs as a part of the lab: an axis, metric, model or server. */
export const isCode = (path: string): boolean => /^(axes|metrics|models|servers)\//.test(path);

/** Joins the lab's entries and the added entries. @throws LabError (usage) if both have an entry of the same name */
export function withAdded<T>(what: string, own: Record<string, T>, added: Record<string, T>): Record<string, T> {
  const both = Object.keys(added).find((name) => name in own);
  if (both !== undefined)
    throw usageError(`${what} "${both}" is in the lab and also next to the experiment: rename yours`);
  return { ...own, ...added };
}
