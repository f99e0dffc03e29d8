import { readdirSync, rmSync, statSync } from "node:fs";

const keptDays = 30;
const dayMs = 86_400_000;

/** Removes what is in a folder and has not been used for 30 days: each use sets the time of its entry. */
export function removeUnused(folder: string): void {
  for (const path of readdirSync(folder).map((name) => `${folder}/${name}`))
    if (Date.now() - statSync(path).mtimeMs > keptDays * dayMs) rmSync(path, { recursive: true, force: true });
}
