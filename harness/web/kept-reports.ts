/**
 * Reports that this checkout has built, each under the SHA-256 of all that it is made of: the files of its runs, and those of the checkout.
 * They are kept outside of results/, so that no run can bring one of its own.
 */
import { createHash, type Hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { environment } from "../../hosts/environment.ts";
import { leavesOf, readClaims } from "../plan/claims.ts";
import type { Manifest } from "../record/manifest.ts";
import { addContent } from "../record/run-files.ts";
import { openRun } from "../record/run-folder.ts";
import type { Content, Files, OpenedRun } from "./build.ts";

const keptIn = `${environment.state}/reports`;
/** A report takes 8 MB and 4 bytes for each load, so all take about 100 MB. */
const mostKept = 10;
const mostBytes = 64e6;

/** @param build is called if the report is not here yet, or if some of its files changed since */
export async function keptReport(
  runs: readonly OpenedRun[],
  build: () => Promise<Files>,
  folder = keptIn,
): Promise<Files> {
  const path = `${folder}/${keyOf(runs)}`;
  const kept = read(path);
  if (kept) return kept;
  const files = await build();
  // A run under way may have grown meanwhile.
  if (path === `${folder}/${keyOf(runs)}`) keep(path, files, folder);
  return files;
}

function read(path: string): Files | null {
  try {
    const files = new Map(JSON.parse(readFileSync(path, "utf8")) as [string, Content][]);
    utimesSync(path, new Date(), new Date());
    return files;
  } catch {
    return null;
  }
}

/** Where nothing can be written, nothing is kept. The oldest go first, and what a killed process left goes with them. */
function keep(path: string, files: Files, folder: string): void {
  const json = JSON.stringify([...files]);
  if (json.length > mostBytes) return;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${path}.${process.pid}`, json);
    renameSync(`${path}.${process.pid}`, path);
    const all = readdirSync(folder).map((name) => ({ name, atMs: statSync(`${folder}/${name}`).mtimeMs }));
    const old = all.toSorted((a, b) => b.atMs - a.atMs).slice(mostKept);
    for (const { name } of old) rmSync(`${folder}/${name}`, { force: true });
  } catch {}
}

const checkout = fileURLToPath(new URL("../..", import.meta.url));
/** In the checkout's folder; package-lock.json tells what modules there are. */
const notOfCheckout = [".git", ".lab", "node_modules", "results"];
/** In a run's folder: what is made of its other files. */
const notOfRun = /^(report|judged\.json.*|(lane|chunk)-.*)$/;

function keyOf(runs: readonly OpenedRun[]): string {
  const hash = createHash("sha256").update(process.version);
  addFolder(hash, checkout, (name) => !notOfCheckout.includes(name));
  for (const { folder, manifest } of runs) {
    hash.update(JSON.stringify(folder));
    for (const one of [folder, ...runsBeside(manifest)]) addFolder(hash, one, (name) => !notOfRun.test(name));
  }
  return hash.digest("hex");
}

/** The folders of other runs that published-view.ts reads, because claims name them. */
function runsBeside({ name, only, with: replaced }: Manifest): string[] {
  const claims = only.length || replaced.length ? [] : Object.values(readClaims(name)?.claims ?? {});
  const names = claims.flatMap(({ source, quantity }) =>
    source ? leavesOf(quantity).flatMap(({ run }) => run ?? []) : [],
  );
  return [...new Set(names)].map((run) => openRun(run).folder);
}

/** Adds each file's path and content. @param takes whether what has this name, directly in the folder, is among them */
function addFolder(hash: Hash, folder: string, takes = (_name: string) => true): void {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => takes(name));
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) addFolder(hash, path);
    else if (entry.isFile())
      hash.update(`${JSON.stringify(path)} ${addContent(createHash("sha256"), path).digest("hex")}\n`);
  }
}
