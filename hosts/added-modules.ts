/** The modules that were added to the lab. For guests, which have no TypeScript, the bundler replaces this file (substrate/bundle-added.ts). */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { AddedModule } from "../schema/entries.ts";
import { addedFiles, addedFolder } from "./added.ts";

export const isEntry = (path: string): boolean =>
  /^(axes\/[^/]+\.axis|metrics\/[^/]+\.metric|models\/[^/]+\.model|servers\/[^/]+\/server)\.ts$/.test(path);

const paths = Object.keys(addedFiles()).filter(isEntry).sort();

export const addedModules: readonly AddedModule[] = paths.map((path) => ({
  path,
  load: () => import(pathToFileURL(resolve(addedFolder()!, path)).href),
}));
