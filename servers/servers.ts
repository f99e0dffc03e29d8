import { existsSync, readdirSync } from "node:fs";
import { addedModules } from "../hosts/added-modules.ts";
import { loadEntries, modulesIn } from "../schema/entries.ts";
import type { ServerSoftware } from "./software.ts";

const names = readdirSync("servers").filter((name) => existsSync(`servers/${name}/server.ts`));
const added = modulesIn(addedModules, "servers");
const found = await loadEntries<ServerSoftware>(names, "server", (name) => import(`./${name}/server.ts`), added);
const allNames = [...names, ...added.map(({ path }) => path.split("/")[1]!)];

/** The server software that an experiment may name; each server has a folder. */
export const servers: Readonly<Record<string, ServerSoftware>> = Object.fromEntries(
  found.map((server, i) => [allNames[i]!, server]),
);
