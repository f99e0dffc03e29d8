import { existsSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { usageError } from "../../schema/errors.ts";
import { beginningOf } from "./run-files.ts";
import { userPath } from "./user-path.ts";

export const resultsFolder = "results";
/** A committed run of one block of spdy-initcwnd on the virtual clock, for tests and benchmarks. It is never the default run. */
export const blockRun = `${resultsFolder}/block`;

/** @param name the run's name or path; by default the latest run is found @throws LabError (usage) if there is no such run */
export function findRun(name: string | undefined): string {
  const folder = name ? resolveRun(name) : latestRun();
  if (folder === undefined) throw usageError('there is no run yet; "./lab run" makes one');
  return folder;
}

/** Returns the paths that are searched, in this order, for a run that the user names. */
export const placesOf = (name: string): string[] => [name, `${resultsFolder}/${name}`, userPath(name)];

/** @returns an existing folder, which need not be the folder of a run @throws LabError (usage) if there is none */
function resolveRun(name: string): string {
  const found = placesOf(name).find((path) => existsSync(path));
  if (found) return found.replace(/\/$/, "");
  throw usageError(
    `unknown run "${name}"; known: ${
      runs()
        .map((path) => basename(path))
        .join(", ") || "none yet"
    }`,
  );
}

export const latestRun = (): string | undefined =>
  runs()
    .filter((path) => path !== blockRun)
    .at(-1);

/** Lists the folders of runs, the oldest first. */
export function runs(): string[] {
  if (!existsSync(resultsFolder)) return [];
  return readdirSync(resultsFolder)
    .map((name) => `${resultsFolder}/${name}`)
    .filter((path) => existsSync(`${path}/run.json`))
    .sort((a, b) => createdAt(a).localeCompare(createdAt(b)));
}

/** The creation time in run.json is within this number of bytes from the start. */
const beginningBytes = 4096;

function createdAt(folder: string): string {
  try {
    return /"createdAt": "(.*?)"/.exec(beginningOf(`${folder}/run.json`, beginningBytes))?.[1] ?? "";
  } catch {
    return "";
  }
}
