import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";

/** A folder of this process, because several may share a checkout: a run, and workers. */
export const ownFolder = (parent: string): string => `${parent}/${process.pid}`;

/** Makes it, and removes those of processes that were killed. @returns a function that removes it, and the parent if nothing is left there */
export function openOwnFolder(parent: string): () => void {
  const folder = ownFolder(parent);
  mkdirSync(folder, { recursive: true });
  for (const pid of readdirSync(parent))
    if (!existsSync(`/proc/${pid}`)) rmSync(`${parent}/${pid}`, { recursive: true, force: true });
  return () => {
    rmSync(folder, { recursive: true, force: true });
    try {
      rmdirSync(parent);
    } catch (error) {
      if (!["ENOTEMPTY", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  };
}
