import { addedModules } from "../hosts/added-modules.ts";
import { filesEndingIn, loadEntries, modulesIn } from "../schema/entries.ts";
import type { Model } from "./model.ts";

const found = await loadEntries<Model>(
  filesEndingIn(".model.ts", "models"),
  "model",
  (name) => import(`./${name}.model.ts`),
  modulesIn(addedModules, "models"),
);

export const models: Readonly<Record<string, Model>> = Object.fromEntries(found.map((model) => [model.name, model]));
