import { readdirSync } from "node:fs";
import { usageError } from "./errors.ts";

/** A file that is no part of the checkout, at the path that it would have there. */
export interface AddedModule {
  path: string;
  load(): Promise<Record<string, unknown>>;
}

/**
 * The entries of a registry that has a file or folder for each: what its modules export under `key`, in the order of their names.
 * @param names which entries there are
 * @param load imports one; written where the registry is, so that a bundler sees what it may import
 * @param added those that are no part of the checkout
 * @throws LabError (usage) for one of these that exports something else, or has a name that another has
 */
export async function loadEntries<T>(
  names: string[],
  key: string,
  load: (name: string) => Promise<Record<string, unknown>>,
  added: readonly AddedModule[] = [],
): Promise<T[]> {
  const modules = await Promise.all(names.map(async (name) => ({ name, module: await load(name) })));
  const own = modules.map(({ name, module }) => {
    if (!(key in module)) throw new Error(`${name} exports no \`${key}\``);
    return module[key] as T;
  });
  const taken = new Set(own.flatMap(namesOf));
  const more = await Promise.all(
    added.map(async ({ path, load }) => {
      const entry = (await load())[key];
      if (typeof entry !== "object" || entry === null) throw usageError(`${path} exports no \`${key}\``);
      return { path, entry };
    }),
  );
  for (const { path, entry } of more)
    for (const name of namesOf(entry)) {
      if (taken.has(name)) throw usageError(`${path}: ${name} is there already: give this ${key} another name`);
      taken.add(name);
    }
  return [...own, ...more.map(({ entry }) => entry as T)];
}

/** What must be different: an entry's name, and an axis' field. */
const namesOf = (exported: unknown): string[] =>
  [exported].flat().flatMap((entry) => {
    const { name, field } = entry as { name?: string; field?: string };
    return [
      ...(name === undefined ? [] : [`the name ${name}`]),
      ...(field === undefined ? [] : [`the field ${field}`]),
    ];
  });

/** Those of a registry, by their path. */
export const modulesIn = (modules: readonly AddedModule[], folder: string): AddedModule[] =>
  modules.filter(({ path }) => path.startsWith(`${folder}/`));

/** The names of a folder's files that end so, without the ending. */
export const filesEndingIn = (ending: string, folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
