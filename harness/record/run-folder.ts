import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { run } from "../../hosts/command.ts";
import { environment } from "../../hosts/environment.ts";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import { schemaVersion } from "../../schema/evidence.ts";
import { check } from "../../schema/yaml-file.ts";
import { type Manifest, manifestSchema, mostManifestBytes } from "./manifest.ts";
import { planHashFile, planHashOf } from "./plan-hash.ts";
import { beginningOf, parsedJson, readBytes, refuseLinks } from "./run-files.ts";

const resultsFolder = "results";
/** A committed run of one block of the matrix on the virtual clock, for tests and benchmarks. It is never the default run. */
export const blockRun = `${resultsFolder}/block`;

/** What is requested of a new run. */
export type RunRequest = Omit<Manifest, "schemaVersion" | "createdAt">;

/** @throws LabError when this user may not write results */
export function createRun({ name, ...request }: RunRequest): { folder: string; manifest: Manifest } {
  const createdAt = new Date().toISOString();
  const manifest: Manifest = { schemaVersion, name, createdAt, ...request };
  const base = `${resultsFolder}/${name}-${createdAt.slice(0, 19).replace(/:/g, "")}`;
  const folder =
    [base, ...Array.from({ length: 99 }, (_, i) => `${base}-${i + 2}`)].find((path) => !existsSync(path)) ?? base;
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new LabError(
      ExitCode.machineCannot,
      `cannot write a run: ${(error as Error).message}\nrun it as the owner of ${resultsFolder}; a container: docker run --user "$(id -u):$(id -g)"`,
    );
  }
  const json = `${JSON.stringify(manifest, null, 2)}\n`;
  writeFileSync(`${folder}/run.json`, json, { flush: true });
  writeFileSync(`${folder}/${planHashFile}`, planHashOf(json), { flush: true });
  return { folder, manifest };
}

/** @throws LabError (usage) if the run is missing, incomplete or of another version, or has a symbolic link in it */
export function openRun(name: string | undefined): { folder: string; manifest: Manifest } {
  const folder = name ? resolveRun(name) : latestRun();
  const path = `${folder}/run.json`;
  if (existsSync(path)) refuseLinks(folder);
  let json: unknown;
  try {
    json = parsedJson(readBytes(path, mostManifestBytes).toString());
  } catch (error) {
    throw usageError(`${folder} is not a run: ${(error as Error).message}`);
  }
  const version = (json as { schemaVersion?: unknown }).schemaVersion;
  if (version !== schemaVersion)
    throw usageError(
      `${path}: schema version ${version}; this lab reads ${schemaVersion}. Use the commit that made the run`,
    );
  return { folder, manifest: check(json, manifestSchema, path) };
}

/** The lab's current commit. */
export async function labCommit(): Promise<string> {
  try {
    const commit = (await run(["git", "rev-parse", "--short=12", "HEAD"])).trim();
    return (await run(["git", "status", "--porcelain"])).trim() ? `${commit}+` : commit;
  } catch {
    return environment.commit;
  }
}

function resolveRun(name: string): string {
  const found = [name, `${resultsFolder}/${name}`].find((path) => existsSync(path));
  if (found) return found.replace(/\/$/, "");
  throw usageError(
    `unknown run "${name}"; known: ${
      runs()
        .map((path) => basename(path))
        .join(", ") || "none yet"
    }`,
  );
}

function latestRun(): string {
  const latest = runs()
    .filter((path) => path !== blockRun)
    .at(-1);
  if (!latest) throw usageError('there is no run yet; "./lab run" makes one');
  return latest;
}

/** Run folders, the oldest first. */
function runs(): string[] {
  if (!existsSync(resultsFolder)) return [];
  return readdirSync(resultsFolder)
    .map((name) => `${resultsFolder}/${name}`)
    .filter((path) => existsSync(`${path}/run.json`))
    .sort((a, b) => createdAt(a).localeCompare(createdAt(b)));
}

/** Its time stands near its beginning. */
const beginningBytes = 4096;

/** Empty for what is not a run. */
function createdAt(folder: string): string {
  try {
    return /"createdAt": "(.*?)"/.exec(beginningOf(`${folder}/run.json`, beginningBytes))?.[1] ?? "";
  } catch {
    return "";
  }
}
