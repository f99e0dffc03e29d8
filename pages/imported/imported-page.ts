/** A page that somebody imported: a folder of files, and what its page.yml may say of it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { usageError } from "../../schema/errors.ts";
import { readYamlFile } from "../../schema/yaml-file.ts";
import { startFile } from "../paths.ts";
import { strict } from "../strict.ts";
import { contentHash, pageFileName, readFolder, type SourceFile } from "./page-folder.ts";

const pageFile = strict({
  title: z.string().min(1).optional(),
  source: z.string().optional(),
  /** A file, or a folder with "/" at its end, "/" for all -> the host that it is kept on: 1 is s1.lab. The longest name that fits counts. */
  hosts: z.record(z.string().min(1), z.int().min(1).max(100)).default({}),
});

export interface ImportedPage extends z.infer<typeof pageFile> {
  name: string;
  folder: string;
  files: ReadonlyMap<string, SourceFile>;
  sha256: string;
}

export const isImportedFolder = (folder: string): boolean => existsSync(join(folder, startFile));

/** Whether a key of `hosts` means a file. */
export const isKeptBy = (kept: string, path: string): boolean =>
  kept === "/" || kept === path || (kept.endsWith("/") && path.startsWith(kept));

/** @throws LabError (usage) that names the file and what is wrong with it */
export function readImportedPage(name: string, folder: string): ImportedPage {
  const path = join(folder, pageFileName);
  const file = existsSync(path) ? readYamlFile(path, pageFile) : pageFile.parse({});
  const files = readFolder(folder);
  if (!files.has(startFile)) throw usageError(`${folder}/${startFile} is no file; a page begins with one`);
  for (const kept of Object.keys(file.hosts))
    if (![...files.keys()].some((file) => isKeptBy(kept, file)))
      throw usageError(`${path}: hosts: there is no "${kept}" in ${folder}; a folder ends with "/", as in "img/"`);
  return { ...file, name, folder, files, sha256: contentHash(files, file.hosts) };
}
