import { readdirSync } from "node:fs";
import { usageError } from "./errors.ts";

/** A file outside the checkout, with the path that it would have in the checkout. */
export interface AddedModule {
  path: string;
  load(): Promise<Record<string, unknown>>;
}

/**
 * Loads the entries of a registry: what each entry's file or folder exports under `key`, in the order of `names`, and then the added entries.
 * @param load imports one entry; each registry has its own function, so that a bundler sees the imports
 * @throws LabError (usage) for an added entry that does not export `key`, or whose name is taken
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
      if (taken.has(name)) throw usageError(`${path}: ${name} is already taken; choose another one for this ${key}`);
      taken.add(name);
    }
  return [...own, ...more.map(({ entry }) => entry as T)];
}

/** Returns what must be unique in a registry: an entry's name, and an axis's field. */
const namesOf = (exported: unknown): string[] =>
  [exported].flat().flatMap((entry) => {
    const { name, field } = entry as { name?: string; field?: string };
    return [
      ...(name === undefined ? [] : [`the name ${name}`]),
      ...(field === undefined ? [] : [`the field ${field}`]),
    ];
  });

export const modulesIn = (modules: readonly AddedModule[], folder: string): AddedModule[] =>
  modules.filter(({ path }) => path.startsWith(`${folder}/`));

export const filesEndingIn = (ending: string, folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
