/** Copies the files that a command adds to the lab into one folder (hosts/added.ts), so that they cannot change during the command. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { addedIndex } from "../../../hosts/added.ts";
import { usageError } from "../../../schema/errors.ts";
import { sha256 } from "../../../schema/sha256.ts";
import { removeUnused } from "../unused.ts";
import type { Found, FoundFiles } from "./beside.ts";
import { isLabs } from "./kept.ts";

const parent = ".lab/added";
/** Folders of the checkout from which added modules may import. */
const linked = ["axes", "clients", "hosts", "metrics", "models", "observe", "schema", "servers", "shaper", "sites"];

/** @returns the folder; undefined if the lab already has all files @throws LabError (usage) that names two conflicting files */
export function stage(sources: readonly FoundFiles[]): string | undefined {
  const files = merged(sources);
  if (files.size === 0) return undefined;
  const index = JSON.stringify(Object.fromEntries([...files].map(([path, file]) => [path, file.sha256])), null, 2);
  const links = linked.flatMap((folder) => linksFor(folder, [...files.keys()]));
  const folder = `${parent}/${sha256(index + links.join()).slice(0, 16)}`;
  if (!existsSync(folder)) write(folder, index, files, links);
  const now = new Date();
  utimesSync(folder, now, now);
  removeUnused(parent);
  return folder;
}

function merged(sources: readonly FoundFiles[]): Map<string, Found> {
  const files = new Map<string, Found>();
  for (const [path, file] of sources.flatMap((source) => [...source])) {
    if (isLabs(path, file.sha256)) continue;
    const other = files.get(path);
    if (other && other.sha256 !== file.sha256)
      throw usageError(`${other.source} and ${file.source} differ, and a command can have only one of them`);
    if (existsSync(path) && path !== "links.yml")
      throw usageError(`${file.source}: the lab has another ${path}: rename yours`);
    files.set(path, file);
  }
  return files;
}

/** Returns what to link so that added modules can import the lab's files: the folder or, if files are added to it, its entries one by one. */
function linksFor(folder: string, files: readonly string[]): string[] {
  if (!files.some((path) => path.startsWith(`${folder}/`))) return [folder];
  return readdirSync(folder)
    .sort()
    .map((name) => `${folder}/${name}`);
}

/** Writes the folder completely or not at all. */
function write(folder: string, index: string, files: FoundFiles, links: readonly string[]): void {
  mkdirSync(parent, { recursive: true });
  const aside = mkdtempSync(`${parent}/.new-`);
  for (const [path, { source }] of files) {
    mkdirSync(dirname(join(aside, path)), { recursive: true });
    copyFileSync(source, join(aside, path));
  }
  for (const path of links) symlinkSync(resolve(path), join(aside, path));
  writeFileSync(join(aside, addedIndex), index);
  try {
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true });
    if (!existsSync(folder)) throw error; // otherwise another command has just written the folder
  }
}
