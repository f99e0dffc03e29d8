/** What a folder that somebody brought has in it. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { usageError } from "../../schema/errors.ts";

/** A page's own file, which is no part of it. */
export const pageFileName = "page.yml";

/** A file of a page: where it lies, and how long it is. */
export interface SourceFile {
  source: string;
  bytes: number;
}

/**
 * All files of a folder, by their path in it, in the order of their paths. What begins with a dot is no part of a page.
 * @throws LabError (usage) that names a link out of the folder, what is no file, and a name that is not UTF-8
 */
export function readFolder(folder: string): Map<string, SourceFile> {
  const files = new Map<string, SourceFile>();
  const root = realpathSync(folder);
  const visit = (directory: string, above: string[]) => {
    for (const name of readdirSync(join(folder, directory)).sort()) {
      const path = join(directory, name);
      if (name.startsWith(".") || path === pageFileName) continue;
      if (name.includes("\ufffd")) throw usageError(`${folder}/${path}: its name is not UTF-8; rename it`);
      const source = ownPath(folder, root, path);
      const status = statSync(source);
      if (status.isDirectory()) {
        if (above.includes(source)) throw usageError(`${folder}/${path} is a symbolic link to a folder that it is in`);
        visit(path, [...above, source]);
      } else if (status.isFile()) files.set(path, { source, bytes: status.size });
      else throw usageError(`${folder}/${path} is neither a file nor a folder; a page is made of files`);
    }
  };
  visit("", [root]);
  return files;
}

/** Where a path really lies. @throws LabError (usage) when that is not in the folder, or nowhere */
function ownPath(folder: string, root: string, path: string): string {
  const source = join(folder, path);
  if (!lstatSync(source).isSymbolicLink()) return realpathSync(source);
  let target: string;
  try {
    target = realpathSync(source);
  } catch {
    throw usageError(`${source} is a symbolic link to ${readlinkSync(source)}, where nothing is; put the file there`);
  }
  if (relative(root, target).startsWith("..") || resolve(target) === root)
    throw usageError(`${source} is a symbolic link to ${target}, out of the folder; put a copy of the file there`);
  return target;
}

/** Of the names and contents of all files, and of what else decides what a load asks for. */
export function contentHash(files: ReadonlyMap<string, SourceFile>, settings: unknown): string {
  const hash = createHash("sha256").update(JSON.stringify(settings));
  for (const [path, { source, bytes }] of files) hash.update(`\0${path}\0${bytes}\0`).update(readFileSync(source));
  return hash.digest("hex");
}
