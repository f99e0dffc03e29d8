/** Reads an imported page, which is a folder of files with an optional page.yml. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { usageError } from "../../schema/errors.ts";
import { readYamlFile } from "../../schema/yaml-file.ts";
import { startFile } from "../paths.ts";
import {
  bodiesFolder,
  bodiesOf,
  isRecordedFolder,
  type Recording,
  readRecording,
  recordingFile,
} from "../recorded/recording.ts";
import { strict } from "../strict.ts";
import { contentHash, pageFileName, readFolder, type SourceFile } from "./page-folder.ts";

/** The largest number of entries under a key of a page.yml. */
const mostEntries = 10_000;
export const mostHosts = 100;
export const mostServerMs = 60_000;

const entries = <Value extends z.ZodType>(value: Value) =>
  z
    .record(z.string().min(1), value)
    .refine((all) => Object.keys(all).length <= mostEntries, `it has more than ${mostEntries} entries`)
    .default({});

export const pageFile = strict({
  title: z.string().min(1).optional(),
  source: z.string().optional(),
  /** Maps a file, a folder ("img/") or everything ("/") to the number of a host; 1 is s1.lab. The longest matching name is used. */
  hosts: entries(z.int().min(1).max(mostHosts)),
  /** Maps a file to the milliseconds that the file's server takes before it responds, for the axis serverTimes. */
  serverTimes: entries(z.int().min(0).max(mostServerMs)),
  /** Text files that are sent uncompressed, because the site's real server does not compress them. */
  uncompressed: z.array(z.string().min(1)).default([]),
});

export interface ImportedPage extends z.infer<typeof pageFile> {
  name: string;
  folder: string;
  files: ReadonlyMap<string, SourceFile>;
  sha256: string;
  /** Set for a recorded page. Its `files` are the recording's files, whose paths differ from the page's URLs. */
  recording?: Recording;
}

export const isImportedFolder = (folder: string): boolean =>
  existsSync(join(folder, startFile)) || isRecordedFolder(folder);

/** Returns the keys of `hosts` that match a file, the longest first: the file, its folders, and "/" for everything. */
export function hostKeysOf(path: string): string[] {
  const parts = path.split("/");
  const folders = parts.slice(1).map((_, i) => `${parts.slice(0, i + 1).join("/")}/`);
  return [path, ...folders.reverse(), "/"];
}

/** Returns the number of the host that page.yml assigns to a file; null if page.yml assigns no host. */
export function configuredHost({ hosts }: Pick<ImportedPage, "hosts">, path: string): number | null {
  const longest = hostKeysOf(path).find((key) => Object.hasOwn(hosts, key));
  return longest === undefined ? null : hosts[longest]!;
}

/** @throws LabError (usage) that names the file and the problem */
export function readImportedPage(name: string, folder: string): ImportedPage {
  if (isRecordedFolder(folder)) return readRecordedPage(name, folder);
  const path = join(folder, pageFileName);
  const file = existsSync(path) ? readYamlFile(path, pageFile) : pageFile.parse({});
  const files = readFolder(folder);
  if (!files.has(startFile)) throw usageError(`${folder}/${startFile} is not a file; every page needs this file`);
  const matching = new Set([...files.keys()].flatMap(hostKeysOf));
  for (const key of Object.keys(file.hosts))
    if (!matching.has(key))
      throw usageError(`${path}: hosts: there is no "${key}" in ${folder}; a folder ends with "/", as in "img/"`);
  for (const [setting, keys] of [
    ["serverTimes", Object.keys(file.serverTimes)],
    ["uncompressed", file.uncompressed],
  ] as const)
    for (const key of keys)
      if (!files.has(key)) throw usageError(`${path}: ${setting}: there is no file "${key}" in ${folder}`);
  return { ...file, name, folder, files, sha256: contentHash(files, settingsOf(file)) };
}

function readRecordedPage(name: string, folder: string): ImportedPage {
  const recording = readRecording(folder);
  const used = new Set([
    recordingFile,
    ...bodiesOf(recording.exchanges).map(({ sha256 }) => `${bodiesFolder}/${sha256}`),
  ]);
  const files = new Map([...readFolder(folder)].filter(([path]) => used.has(path)));
  const title = new URL(recording.url).host;
  return { ...pageFile.parse({ title }), name, folder, files, sha256: contentHash(files, {}), recording };
}

/** Returns the settings that a page's hash includes. If only `hosts` is set, returns `hosts` itself, so that older pages keep their hashes. */
function settingsOf({ hosts, serverTimes, uncompressed }: z.infer<typeof pageFile>): unknown {
  const more = {
    ...(Object.keys(serverTimes).length ? { serverTimes } : {}),
    ...(uncompressed.length ? { uncompressed } : {}),
  };
  return Object.keys(more).length ? { hosts, ...more } : hosts;
}
