/** Finds the files that lie next to an experiment and are added to the lab. Their names and folders are the same as for files in the checkout. */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { usageError } from "../../../schema/errors.ts";
import { inOneLine } from "../../../schema/foreign-words.ts";
import { sha256 } from "../../../schema/sha256.ts";
import { counted } from "../../../schema/words.ts";
import { readBytes } from "../run-files.ts";

export interface Found {
  /** Where the file is now. */
  source: string;
  sha256: string;
}
/** Files by the paths that they would have in the checkout. */
export type FoundFiles = ReadonlyMap<string, Found>;

/** The limit for all files together, because guests have pages' files in memory, and commands read all files. */
export const mostBytes = 200e6;
const mostFiles = 20_000;
const mostLevels = 20;

/** The only paths that files may have, so that no file can be added elsewhere. */
const places = [
  /^experiments\/[\w-]+(\.claims)?\.yml$/,
  /^links\.yml$/,
  /^(axes|metrics|models)\/[\w.-]+\.ts$/,
  /^servers\/[\w-]+\/./,
  /^pages\/(responses\.yml$|[\w-]+\/.)/,
];
export const isPlace = (path: string): boolean => places.some((place) => place.test(path));

const experimentName = /^[\w-]+$/;

/** Returns an experiment's name. @throws LabError (usage) if the path is not an experiment's file */
export function experimentAt(path: string): string {
  const name = basename(path, ".yml");
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status) throw usageError(`${path}: there is no such file; ./lab list experiments prints the lab's experiments`);
  if (!status.isFile() || !path.endsWith(".yml") || !experimentName.test(name))
    throw usageError(
      `${path} is not an experiment: an experiment is a file whose name has only letters, digits, _ and -, followed by .yml`,
    );
  return name;
}

/** @param only whether to find only the experiment and claims @throws LabError (usage) that names a file that cannot be added, and the reason */
export function filesBeside(experiment: string, { only = false } = {}): FoundFiles {
  const [name, folder] = [experimentAt(experiment), dirname(experiment)];
  const named = new Map([[`experiments/${name}.yml`, experiment]]);
  for (const file of readdirSync(folder).filter((one) => /^[\w-]+\.claims\.yml$/.test(one)))
    named.set(`experiments/${file}`, join(folder, file));
  if (!only) for (const path of pathsBeside(folder)) named.set(path, join(folder, path));
  return readAll(named);
}

function pathsBeside(folder: string): string[] {
  const names = (path: string) => (existsSync(join(folder, path)) ? readdirSync(join(folder, path)).sort() : []);
  const has = (path: string) => existsSync(join(folder, path));
  const modules = ["axes", "metrics", "models"].flatMap((kind) =>
    names(kind).flatMap((file) => (/(?<!\.test|\.fixture|\.d)\.ts$/.test(file) ? [`${kind}/${file}`] : [])),
  );
  const servers = names("servers").filter((name) => has(`servers/${name}/server.ts`));
  const pages = names("pages").filter((name) => has(`pages/${name}/index.html`) || has(`pages/${name}/page.yml`));
  const folders = [...servers.map((name) => `servers/${name}`), ...pages.map((name) => `pages/${name}`)];
  return [
    ...["links.yml", "pages/responses.yml"].filter(has),
    ...modules,
    ...folders.flatMap((path) => filesBelow(folder, path)),
  ];
}

function filesBelow(folder: string, path: string, level = 1): string[] {
  if (level > mostLevels)
    throw usageError(`${inOneLine(join(folder, path))}: more than ${mostLevels} levels of folders`);
  return readdirSync(join(folder, path), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith("."))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const below = `${path}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(folder, below, level + 1) : [below];
    });
}

/** @param places path in the checkout -> where the file is @throws LabError (usage) for symbolic links, non-files, and too many files or bytes */
export function readAll(places: ReadonlyMap<string, string>): FoundFiles {
  if (places.size > mostFiles)
    throw usageError(`${counted(places.size, "file")} next to the experiment; at most ${mostFiles} are allowed`);
  const found = new Map<string, Found>();
  let left = mostBytes;
  for (const [path, source] of places) {
    if (!isPlace(path)) throw usageError(`${inOneLine(source)}: a file of this name cannot be added to the lab`);
    const status = lstatSync(source, { throwIfNoEntry: false });
    if (!status?.isFile())
      throw usageError(
        `${inOneLine(source)} is ${status?.isSymbolicLink() ? "a symbolic link: put a copy of the file in its place" : "not a file"}`,
      );
    left -= status.size;
    if (left < 0)
      throw usageError(`the files next to the experiment have more than ${mostBytes / 1e6} MB; leave out pages`);
    found.set(path, { source, sha256: sha256(readBytes(source, mostBytes)) });
  }
  return found;
}
