import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { run } from "../../hosts/command.ts";
import { environment } from "../../hosts/environment.ts";
import { machineCannot, usageError } from "../../schema/errors.ts";
import { schemaVersion } from "../../schema/evidence.ts";
import { check } from "../../schema/yaml-file.ts";
import { addedIn, requireAdded } from "./added/kept.ts";
import { findRun, resultsFolder } from "./find-run.ts";
import { type Manifest, manifestSchema } from "./manifest.ts";
import { planHashFile, planHashOf } from "./plan-hash.ts";
import { mostManifestBytes, parsedJson, readBytes, refuseLinks } from "./run-files.ts";

export type RunRequest = Omit<Manifest, "schemaVersion" | "createdAt">;

/** @throws LabError if this user may not write results */
export function createRun({ name, ...request }: RunRequest): { folder: string; manifest: Manifest } {
  const createdAt = new Date().toISOString();
  const manifest: Manifest = { schemaVersion, name, createdAt, ...request };
  const base = `${resultsFolder}/${name}-${createdAt.slice(0, 19).replace(/:/g, "")}`;
  const folder =
    [base, ...Array.from({ length: 99 }, (_, i) => `${base}-${i + 2}`)].find((path) => !existsSync(path)) ?? base;
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw machineCannot(
      `cannot write a run: ${(error as Error).message}\nrun it as the owner of ${resultsFolder}; in a container: docker run --user "$(id -u):$(id -g)"`,
    );
  }
  const json = `${JSON.stringify(manifest, null, 2)}\n`;
  writeFileSync(`${folder}/run.json`, json, { flush: true });
  writeFileSync(`${folder}/${planHashFile}`, planHashOf(json), { flush: true });
  return { folder, manifest };
}

/** @throws LabError (usage) if the run is missing, incomplete or of another version, or has a symbolic link in its folder */
export function openRun(name: string | undefined): { folder: string; manifest: Manifest } {
  const folder = findRun(name);
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
  requireAdded(addedIn(folder), folder); // before the manifest is checked, because it may name axes that are among the added files
  return { folder, manifest: check(json, manifestSchema, path) };
}

export async function labCommit(): Promise<string> {
  try {
    const commit = (await run(["git", "rev-parse", "--short=12", "HEAD"])).trim();
    return (await run(["git", "status", "--porcelain"])).trim() ? `${commit}+` : commit;
  } catch {
    return environment.commit;
  }
}
