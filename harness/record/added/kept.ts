/** A run keeps the files that it used but the lab does not have, so that the run can be judged and repeated where these files are missing. */
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { type AddedFiles, addedFiles, addedPath, addedSchema, isCode } from "../../../hosts/added.ts";
import { usageError } from "../../../schema/errors.ts";
import { sha256 } from "../../../schema/sha256.ts";
import { check } from "../../../schema/yaml-file.ts";
import { mostManifestBytes, parsedJson, readBytes } from "../run-files.ts";
import { type FoundFiles, readAll } from "./beside.ts";
import { codeIn, isTrusted, trust } from "./trusted.ts";

const inRun = (runFolder: string) => `${runFolder}/added`;

/** Selects the added files that a run uses: links, claims, the pages that it loads, and all code, because lanes have the code in any case. */
export const usedOf = (pages: readonly string[]): AddedFiles =>
  Object.fromEntries(
    Object.entries(addedFiles()).filter(([path]) => {
      const [kind = "", name = ""] = path.split("/");
      if (kind === "pages") return pages.includes(name) || name === "responses.yml";
      return isCode(path) || path === "links.yml" || path.endsWith(".claims.yml");
    }),
  );

/** Copies the added files into the run's folder, and marks their code as trusted, because this checkout already runs this code. */
export function keepAdded(files: AddedFiles, runFolder: string): void {
  for (const path of Object.keys(files)) {
    const place = join(inRun(runFolder), path);
    if (existsSync(place)) continue;
    mkdirSync(dirname(place), { recursive: true });
    copyFileSync(addedPath(path)!, place);
  }
  trust(files);
}

/** Returns the added files that run.json lists; none for a folder that is not a run. */
export function addedIn(runFolder: string): AddedFiles {
  const path = `${runFolder}/run.json`;
  if (!existsSync(path)) return {};
  let json: unknown;
  try {
    json = parsedJson(readBytes(path, mostManifestBytes).toString());
  } catch {
    return {}; // the command that opens the run reports the error
  }
  return check(json, z.object({ added: addedSchema.optional() }), path).added ?? {};
}

/** @throws LabError (usage) for a file that is missing or changed, and for code that this checkout may not run */
export function filesKept(runFolder: string): FoundFiles {
  const files = addedIn(runFolder);
  const found = checkedKept(files, runFolder);
  if (!isTrusted(files))
    throw usageError(
      `${runFolder} was made with code of its own, which this command would run: ${codeIn(files).join(", ")}, in ${inRun(runFolder)}. Read this code; to allow it in this checkout: ./lab trust ${runFolder}`,
    );
  return found;
}

export function checkedKept(files: AddedFiles, runFolder: string): FoundFiles {
  const found = readAll(new Map(Object.keys(files).map((path) => [path, join(inRun(runFolder), path)])));
  for (const [path, { source, sha256: is }] of found)
    if (is !== files[path])
      throw usageError(`${source} is not the file that the run used: its SHA-256 is not the one in run.json`);
  return found;
}

/** @throws LabError (usage) if this command lacks a file that the run used, or has another version of the file */
export function requireAdded(files: AddedFiles, runFolder: string): void {
  const here = addedFiles();
  // Not compared: files of experiments, because --experiment may judge the run by newer claims.
  const judged = Object.keys(files).filter((path) => !path.startsWith("experiments/"));
  const lacking = judged.find((path) => here[path] !== files[path] && !isLabs(path, files[path]!));
  if (lacking !== undefined)
    throw usageError(
      `${runFolder} was made with the added file ${lacking}, which this command has not loaded: give the run on the command line, so that its files are loaded`,
    );
}

/** Whether the checkout itself has the same file: somebody may have put it into the lab since the run. */
export const isLabs = (path: string, hash: string): boolean =>
  path !== "links.yml" && existsSync(path) && sha256(readBytes(path, mostManifestBytes)) === hash;
