import { readdirSync } from "node:fs";

/**
 * The entries of a registry that has a file or folder for each: what its modules export under `key`, in the order of their names.
 * @param names which entries there are
 * @param load imports one; written where the registry is, so that a bundler sees what it may import
 */
export async function loadEntries<T>(
  names: string[],
  key: string,
  load: (name: string) => Promise<Record<string, unknown>>,
): Promise<T[]> {
  const modules = await Promise.all(names.map(async (name) => ({ name, module: await load(name) })));
  return modules.map(({ name, module }) => {
    if (!(key in module)) throw new Error(`${name} exports no \`${key}\``);
    return module[key] as T;
  });
}

/** The names of a folder's files that end so, without the ending. */
export const filesEndingIn = (ending: string, folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
