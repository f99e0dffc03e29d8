import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { run } from "../../hosts/command.ts";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import { check } from "../../schema/yaml-file.ts";
import type { SavedRun } from "../judge/verify.ts";
import type { Calibration } from "../lane/calibration.ts";
import type { Environment } from "../lane/environment.ts";
import { experimentSchema } from "../plan/experiment.ts";
import { registriesSchema } from "../plan/registries.ts";
import { readJournal, readLoads } from "./journal.ts";

const resultsFolder = "results";
/** Committed: shown by name, never resumed by default. One a clock. */
export const referenceRun = `${resultsFolder}/reference`;
export const virtualReferenceRun = `${resultsFolder}/reference-virtual`;
const schemaVersion = 2;

const manifestSchema = z.strictObject({
  schemaVersion: z.literal(
    schemaVersion,
    `this lab reads schema version ${schemaVersion}; use the commit that made the run`,
  ),
  name: z.string(),
  createdAt: z.string(),
  /** The lab's own version: git commit, with "+" when files differed from it. */
  commit: z.string(),
  clock: z.enum(["real", "virtual"]),
  /** On the virtual clock: what a program takes on average for what wakes it. */
  processingMs: z.number().optional(),
  seed: z.int(),
  loads: z.int(),
  timeoutSeconds: z.number(),
  /** --until: no more loads of a condition whose median's 95% interval is within so many percent. */
  untilPercent: z.number().optional(),
  /** The --only filters. */
  only: z.array(z.string()),
  /** The experiment, as its file said at the time. */
  experiment: experimentSchema,
  /** What its names meant at the time. */
  registries: registriesSchema,
});
/** run.json: what was asked for. Written once. What each lane ran on stands in lanes.jsonl. */
export type Manifest = z.infer<typeof manifestSchema>;

/** What a run is asked to be. */
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
  writeFileSync(`${folder}/run.json`, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
  return { folder, manifest };
}

/** @throws LabError (usage) when the run is missing, half made, or another version's */
export function openRun(name: string | undefined): { folder: string; manifest: Manifest } {
  const folder = name ? resolveRun(name) : latestRun();
  const path = `${folder}/run.json`;
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw usageError(`${folder} is not a run: ${(error as Error).message}`);
  }
  return { folder, manifest: check(json, manifestSchema, path) };
}

/** Everything a run's folder says. */
export function readSavedRun(folder: string, manifest: Manifest): SavedRun {
  const loads = readLoads(folder);
  const path = `${folder}/loads.jsonl`;
  const lines = existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line).length
    : 0;
  return {
    manifest,
    loads,
    lanes: readJournal<Environment>(`${folder}/lanes.jsonl`),
    calibrations: readJournal<Calibration>(`${folder}/calibration.jsonl`),
    tornLines: lines - loads.length,
  };
}

/** The commit the lab is at. */
export async function labCommit(): Promise<string> {
  try {
    const commit = (await run(["git", "rev-parse", "--short=12", "HEAD"])).trim();
    return (await run(["git", "status", "--porcelain", "--untracked-files=no"])).trim() ? `${commit}+` : commit;
  } catch {
    return process.env.LAB_COMMIT ?? "unknown";
  }
}

function resolveRun(name: string): string {
  const found = [name, `${resultsFolder}/${name}`].find((path) => existsSync(path));
  if (found) return found.replace(/\/$/, "");
  throw usageError(
    `there is no run "${name}"; there is: ${
      runs()
        .map((path) => basename(path))
        .join(", ") || "none yet"
    }`,
  );
}

function latestRun(): string {
  const latest = runs()
    .filter((path) => path !== referenceRun && path !== virtualReferenceRun)
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

const createdAt = (folder: string) =>
  /"createdAt": "(.*?)"/.exec(readFileSync(`${folder}/run.json`, "utf8"))?.[1] ?? "";
