/** The modules that were added to the lab. In a guest, which has no TypeScript, another file replaces this one (substrate/bundle.ts). */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { AddedModule } from "../schema/entries.ts";
import { addedFiles, addedFolder } from "./added.ts";

/** Whether a file is an entry of a registry. */
export const isEntry = (path: string): boolean =>
  /^(axes\/[^/]+\.axis|metrics\/[^/]+\.metric|models\/[^/]+\.model|servers\/[^/]+\/server)\.ts$/.test(path);

const paths = Object.keys(addedFiles()).filter(isEntry).sort();

export const addedModules: readonly AddedModule[] = paths.map((path) => ({
  path,
  load: () => import(pathToFileURL(resolve(addedFolder()!, path)).href),
}));
