/** What a run used that is no part of the lab is kept in its folder, so that the run can be judged and repeated where that is not. */
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { type AddedFiles, addedFiles, addedPath, addedSchema, isCode } from "../../../hosts/added.ts";
import { usageError } from "../../../schema/errors.ts";
import { check } from "../../../schema/yaml-file.ts";
import { sha256 } from "../digest.ts";
import { mostManifestBytes, parsedJson, readBytes } from "../run-files.ts";
import { type FoundFiles, readAll } from "./beside.ts";
import { codeIn, isTrusted, trust } from "./trusted.ts";

const inRun = (runFolder: string) => `${runFolder}/added`;

/** Of what was added: all code, which a lane has even if its conditions do not name it, links, claims, and the pages that a run loads. */
export const usedOf = (pages: readonly string[]): AddedFiles =>
  Object.fromEntries(
    Object.entries(addedFiles()).filter(([path]) => {
      const [kind = "", name = ""] = path.split("/");
      if (kind === "pages") return pages.includes(name) || name === "responses.yml";
      return isCode(path) || path === "links.yml" || path.endsWith(".claims.yml");
    }),
  );

/** Copies these files, which run.json names, into the run's folder. This checkout runs their code already, and so may run it again. */
export function keepAdded(files: AddedFiles, runFolder: string): void {
  for (const path of Object.keys(files)) {
    const place = join(inRun(runFolder), path);
    if (existsSync(place)) continue;
    mkdirSync(dirname(place), { recursive: true });
    copyFileSync(addedPath(path)!, place);
  }
  trust(files);
}

/** What run.json says; empty for a run that used nothing else than the lab, and for what is no run. */
export function addedIn(runFolder: string): AddedFiles {
  const path = `${runFolder}/run.json`;
  if (!existsSync(path)) return {};
  let json: unknown;
  try {
    json = parsedJson(readBytes(path, mostManifestBytes).toString());
  } catch {
    return {}; // the command that opens it says why
  }
  return check(json, z.object({ added: addedSchema.optional() }), path).added ?? {};
}

/** @throws LabError (usage) for a file that is missing or another one, and for code that this checkout may not run */
export function filesKept(runFolder: string): FoundFiles {
  const files = addedIn(runFolder);
  const found = checkedKept(files, runFolder);
  if (!isTrusted(files))
    throw usageError(
      `${runFolder} was made with code of its own, which this command would run: ${codeIn(files).join(", ")}, in ${inRun(runFolder)}. If you have read it, ./lab trust ${runFolder} allows it here`,
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

/** @throws LabError (usage) if the command has something else of what the run used, or nothing */
export function requireAdded(files: AddedFiles, runFolder: string): void {
  const here = addedFiles();
  const judged = Object.keys(files).filter((path) => !path.startsWith("experiments/")); // its claims may be others by now (--experiment)
  const lacking = judged.find((path) => here[path] !== files[path] && !isLabs(path, files[path]!));
  if (lacking !== undefined)
    throw usageError(
      `${runFolder} was made with a file of its own, ${lacking}, that this command does not have: name the run on the command line`,
    );
}

/** Whether the checkout has the same file, where somebody has put it into the lab meanwhile. */
export const isLabs = (path: string, hash: string): boolean => {
  const place = path === "links.yml" ? null : path;
  return place !== null && existsSync(place) && sha256(readBytes(place, mostManifestBytes)) === hash;
};
