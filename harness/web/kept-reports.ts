/** Caches the reports that this checkout has built, by the SHA-256 of everything they depend on: the runs' files and the checkout's files. */
import { createHash, type Hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { addedFiles } from "../../hosts/added.ts";
import { environment } from "../../hosts/environment.ts";
import { leavesOf, readClaims } from "../plan/claims.ts";
import { KeptFiles } from "../record/kept-files.ts";
import type { Manifest } from "../record/manifest.ts";
import { fileHash } from "../record/run-files.ts";
import { openRun } from "../record/run-folder.ts";
import type { Content, Files, OpenedRun } from "./build.ts";

const keptIn = `${environment.state}/reports`;
/** How many reports are kept, and the most bytes of a report: a report takes about 8 MB, and 4 bytes for each load. */
const limits = { files: 10, bytes: 64e6 };

/** @param build is called unless the cache has a report that was built from the present files */
export async function keptReport(
  runs: readonly OpenedRun[],
  build: () => Promise<Files>,
  folder = keptIn,
): Promise<Files> {
  const key = keyOf(runs);
  if (key === null) return build();
  const reports = new KeptFiles<[string, Content][]>(folder, limits);
  const kept = reports.read(key);
  if (kept) return new Map(kept);
  const files = await build();
  // An active run may have grown while the report was built.
  if (key === keyOf(runs)) reports.keep(key, [...files]);
  return files;
}

const checkout = fileURLToPath(new URL("../..", import.meta.url));
/** The names of the files and folders that commands read: those that .dockerignore lets into images. package-lock.json stands for npm packages. */
const inCheckout = () =>
  readFileSync(`${checkout}/.dockerignore`, "utf8")
    .split("\n")
    .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
/** Files in a run's folder that are derived from its other files. */
const notOfRun = /^(report|(lane|chunk)-.*)$/;

/** Returns the cache key of a report of these runs, or null if a file cannot be read: an active run's file may disappear before it is read. */
function keyOf(runs: readonly OpenedRun[]): string | null {
  const hash = createHash("sha256").update(process.version).update(JSON.stringify(addedFiles()));
  const names = inCheckout();
  try {
    addFolder(hash, checkout, (name) => names.includes(name));
    for (const { folder, manifest } of runs) {
      hash.update(JSON.stringify(folder));
      for (const one of [folder, ...runsBeside(manifest)]) addFolder(hash, one, (name) => !notOfRun.test(name));
    }
  } catch {
    return null;
  }
  return hash.digest("hex");
}

/** Returns the folders of other runs that published-view.ts reads, because claims name these runs. */
function runsBeside({ name, only, with: replaced }: Manifest): string[] {
  const claims = only.length || replaced.length ? [] : Object.values(readClaims(name)?.claims ?? {});
  const names = claims.flatMap(({ source, quantity }) =>
    source ? leavesOf(quantity).flatMap(({ run }) => run ?? []) : [],
  );
  return [...new Set(names)].map((run) => openRun(run).folder);
}

/** Hashes each file's path and content, also behind symbolic links. @param takes selects entries of the folder; subfolders are added whole */
function addFolder(hash: Hash, folder: string, takes = (_name: string) => true): void {
  for (const name of readdirSync(folder).filter(takes).sort()) {
    const path = `${folder}/${name}`;
    if (statSync(path).isDirectory()) addFolder(hash, path);
    else hash.update(`${JSON.stringify(path)} ${fileHash(path)}\n`);
  }
}
