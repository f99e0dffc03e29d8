import { existsSync, readdirSync } from "node:fs";
import { loadEntries } from "../schema/entries.ts";
import type { ServerSoftware } from "./software.ts";

const names = readdirSync("servers").filter((name) => existsSync(`servers/${name}/server.ts`));
const found = await loadEntries<ServerSoftware>(names, "server", (name) => import(`./${name}/server.ts`));

/** The server software that an experiment may name: a folder each. */
export const servers: Readonly<Record<string, ServerSoftware>> = Object.fromEntries(
  found.map((server, i) => [names[i]!, server]),
);
