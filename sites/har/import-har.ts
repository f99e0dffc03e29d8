/** Creates a page's folder from a recording. References in the recorded bodies are rewritten to the folder's files. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { stringify } from "yaml";
import { mostHosts, mostServerMs, readImportedPage } from "../imported/imported-page.ts";
import { pageFileName } from "../imported/page-folder.ts";
import { encodedPath } from "../paths.ts";
import { newPageFolder } from "../recorder/write-recording.ts";
import { fillerOf, madeHtml, padded } from "./body-filler.ts";
import { type FilePlan, planFiles } from "./file-plan.ts";
import { sentencesOf, type Written } from "./import-sentences.ts";
import { hostFolder, namesOf } from "./names.ts";
import { type Recorded, type Recording, readHar } from "./read-har.ts";
import { RecordedPaths, withPaths } from "./recorded-paths.ts";

export interface Imported {
  folder: string;
  /** Sentences about what was imported. */
  sentences: string[];
}

/** @throws LabError (usage) if the HAR is invalid or has no page, or if the name is invalid or taken */
export function importHar(file: string, name = pageNameIn(file), directory = "pages"): Imported {
  const folder = newPageFolder(name, directory);
  const recording = readHar(file);
  const kept = recording.recorded.filter(({ redirect }) => redirect === null);
  const paths = new RecordedPaths(recording.recorded, namesOf(kept, recording.start));
  const there = kept.filter((one) => one.isThere);
  const plans = planFiles(file, there, ({ url }) => paths.of(url)!);
  mkdirSync(directory, { recursive: true });
  const part = mkdtempSync(`${directory}/.import-`); // renamed at the end: the page appears completely or not at all
  try {
    const sentences = writePage(recording, kept, plans, paths, part);
    readImportedPage(name, part);
    renameSync(part, folder);
    return { folder, sentences };
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

export const pageNameIn = (file: string): string =>
  basename(file)
    .replace(/\.gz$/i, "")
    .replace(/\.(z?har|wprgo)$/i, "")
    .replace(/[^\w-]+/g, "-")
    .replace(/^-+|-+$/g, "") || "recorded";

function writePage(
  recording: Recording,
  kept: readonly Recorded[],
  plans: ReadonlyMap<Recorded, FilePlan>,
  paths: RecordedPaths,
  folder: string,
): string[] {
  const { start } = recording;
  const named = new Set<string>();
  const contentOf = (one: Recorded, plan: FilePlan): Buffer => {
    const path = paths.of(one.url)!;
    if (!one.body) return fillerOf(one.type, path, plan);
    return padded(withPaths(one, one.body, paths, named), plan.bytes - one.body.length, one.type, path, plan);
  };
  const written: Written[] = [...plans].flatMap(([one, plan]) =>
    one === start && !one.body ? [] : [writtenFile(folder, paths, one, plan, contentOf(one, plan))],
  );
  const unnamed = kept.filter((one) => one !== start && !named.has(paths.of(one.url)!));
  if (!start.body) {
    const plan = plans.get(start)!;
    const elements = unnamed.map(({ url, type }) => ({ url: encodedPath(paths.of(url)!), type }));
    written.push(writtenFile(folder, paths, start, plan, madeHtml(recording.title ?? start.url, elements, plan)));
  }
  const hosts = [...new Set([start, ...kept].map(({ host }) => host))];
  write(folder, pageFileName, Buffer.from(stringify(pageFileOf(recording, kept, hosts, written, paths))));
  return [...recording.sentences, ...sentencesOf(recording, written, hosts, unnamed)];
}

function writtenFile(folder: string, paths: RecordedPaths, one: Recorded, plan: FilePlan, content: Buffer): Written {
  const path = paths.of(one.url)!;
  write(folder, path, content);
  return { one, plan, path, content };
}

function write(folder: string, path: string, content: Buffer): void {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
}

function pageFileOf(
  { title, start }: Recording,
  kept: readonly Recorded[],
  hosts: readonly string[],
  written: readonly Written[],
  paths: RecordedPaths,
) {
  const slow = kept.filter((one) => one.isThere && one.serverMs > 0);
  const times = slow.map((one) => [paths.of(one.url)!, Math.min(one.serverMs, mostServerMs)]);
  const uncompressed = written.flatMap(({ plan, path }) => (plan.isUncompressed ? [path] : []));
  return {
    title: title || start.url,
    source: `HAR of ${start.url}`,
    ...hostsOf(hosts, kept),
    ...(slow.length ? { serverTimes: Object.fromEntries(times) } : {}),
    ...(uncompressed.length ? { uncompressed } : {}),
  };
}

/** Assigns each recorded host to a host of the lab, in the order of the first requests. */
function hostsOf([, ...others]: readonly string[], kept: readonly Recorded[]): { hosts?: Record<string, number> } {
  const there = new Set(kept.filter((one) => one.isThere).map(({ host }) => host));
  const folders = others
    .filter((host) => there.has(host))
    .map((host, i) => [`${hostFolder(host)}/`, ((i + 1) % mostHosts) + 1]);
  return folders.length ? { hosts: { "/": 1, ...Object.fromEntries(folders) } } : {};
}
