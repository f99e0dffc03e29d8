import { existsSync, readdirSync } from "node:fs";
import { loadEntries } from "../schema/entries.ts";
import type { Client } from "./client.ts";

const names = readdirSync("clients").filter((name) => existsSync(`clients/${name}/client.ts`));
const found = await loadEntries<Client>(names, "client", (name) => import(`./${name}/client.ts`));

export const clients: Readonly<Record<string, Client>> = Object.fromEntries(
  found.map((client, i) => [names[i]!, client]),
);
