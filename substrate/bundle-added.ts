/** Puts files that were added to the lab into the bundles that guests run. The same files give the same bundles, wherever their folder is. */
import { realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Plugin } from "esbuild";
import { addedFiles, addedFolder } from "../hosts/added.ts";
import { isEntry } from "../hosts/added-modules.ts";

const paths = (is: (path: string) => boolean) => Object.keys(addedFiles()).filter(is).sort();

/** Finds added servers that are scripts. @returns the path of each entry script, and the name of its bundle */
export const scriptsAdded = (): { in: string; out: string }[] =>
  paths((path) => /^servers\/[^/]+\/main\.ts$/.test(path)).map((path) => ({
    in: `${addedFolder()}/${path}`,
    out: path.replace(/\.ts$/, ""),
  }));

const isInside = (path: string, folder: string) => !relative(folder, path).startsWith("..");

/** Replaces hosts/added-modules.ts by imports of fixed names, which a bundler can follow. Added modules get no second copy of the lab's modules. */
export const bundledAdded: Plugin = {
  name: "added",
  setup({ onLoad, onResolve }) {
    const folder = addedFolder();
    onLoad({ filter: /\/hosts\/added-modules\.ts$/ }, () => {
      const entries = paths(isEntry).map((path) => {
        const place = JSON.stringify(resolve(folder!, path));
        return `{ path: ${JSON.stringify(path)}, load: () => import(${place}) }`;
      });
      return { contents: `export const addedModules = [${entries.join(", ")}];`, resolveDir: process.cwd() };
    });
    if (folder === undefined) return;
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) =>
      isInside(resolveDir, resolve(folder)) ? { path: realpathSync(join(resolveDir, path)) } : undefined,
    );
  },
};

/** Replaces the path of the added files' folder in a bundle, because guests' memory contains the bundles, and must not depend on this path. */
export function asIfInCheckout(contents: Uint8Array): Uint8Array {
  const folder = addedFolder();
  if (folder === undefined) return contents;
  return Buffer.from(Buffer.from(contents).toString().replaceAll(`${folder}/`, "added/"));
}
