import { readdirSync, rmSync, statSync } from "node:fs";

const keptDays = 30;
const dayMs = 86_400_000;

/** Removes entries of a folder that have not been used for 30 days. Anyone who uses an entry must set its modification time. */
export function removeUnused(folder: string): void {
  for (const path of readdirSync(folder).map((name) => `${folder}/${name}`))
    if (Date.now() - statSync(path).mtimeMs > keptDays * dayMs) rmSync(path, { recursive: true, force: true });
}
