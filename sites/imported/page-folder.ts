import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { usageError } from "../../schema/errors.ts";
import { inOneLine } from "../../schema/foreign-words.ts";

/** The file that describes the page. It is not served. */
export const pageFileName = "page.yml";

export interface SourceFile {
  source: string;
  bytes: number;
}

/**
 * Lists the files of a folder by their relative path, sorted, without page.yml and everything whose name starts with a dot.
 * @throws LabError (usage) for a link out of the folder, a special file, or a name that is not UTF-8
 */
export function readFolder(folder: string): Map<string, SourceFile> {
  const files = new Map<string, SourceFile>();
  const root = realpathSync(folder);
  const visit = (directory: string, above: string[]) => {
    for (const name of readdirSync(join(folder, directory)).sort()) {
      const path = join(directory, name);
      if (name.startsWith(".") || path === pageFileName) continue;
      if (name.includes("\ufffd")) throw usageError(`${folder}/${inOneLine(path)}: its name is not UTF-8; rename it`);
      const source = ownPath(folder, root, path);
      const status = statSync(source);
      if (status.isDirectory()) {
        if (above.includes(source))
          throw usageError(`${folder}/${inOneLine(path)} is a symbolic link to a folder that contains the link`);
        visit(path, [...above, source]);
      } else if (status.isFile()) files.set(path, { source, bytes: status.size });
      else throw usageError(`${folder}/${inOneLine(path)} is neither a file nor a folder; remove it`);
    }
  };
  visit("", [root]);
  return files;
}

/** Resolves a path's symbolic links. @throws LabError (usage) if the resolved path is outside the folder, or does not exist */
function ownPath(folder: string, root: string, path: string): string {
  const source = join(folder, path);
  if (!lstatSync(source).isSymbolicLink()) return realpathSync(source);
  let target: string;
  try {
    target = realpathSync(source);
  } catch {
    throw usageError(
      `${inOneLine(source)} is a symbolic link to ${inOneLine(readlinkSync(source))}, which does not exist; replace the link by the file`,
    );
  }
  if (relative(root, target).startsWith("..") || resolve(target) === root)
    throw usageError(
      `${inOneLine(source)} is a symbolic link to ${inOneLine(target)}, outside the folder; replace the link by a copy of the file`,
    );
  return target;
}

/** Computes a hash of everything that determines a load's requests: the names and contents of all files, and the settings. */
export function contentHash(files: ReadonlyMap<string, SourceFile>, settings: unknown): string {
  const hash = createHash("sha256").update(JSON.stringify(settings));
  for (const [path, { source, bytes }] of files) hash.update(`\0${path}\0${bytes}\0`).update(readFileSync(source));
  return hash.digest("hex");
}
