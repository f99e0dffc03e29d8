import { existsSync, mkdirSync, readdirSync, readlinkSync, rmdirSync, rmSync } from "node:fs";

/** The parent of workers' folders, which contain chunks and logs of lanes. */
export const workersFolder = ".lab/workers";

/** Returns the path of a folder for this process only, because several processes may share a checkout: a run, and workers. */
export const ownFolder = (parent: string): string => `${parent}/${process.pid}`;

/** Finds this checkout's running processes with a folder in `parent`, by their working directories: another program may have a process ID by now. */
export const ownersIn = (parent: string): string[] =>
  existsSync(parent) ? readdirSync(parent).filter((pid) => /^\d+$/.test(pid) && isHere(pid)) : [];

function isHere(pid: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === process.cwd();
  } catch {
    return existsSync(`/proc/${pid}`); // another user's process, whose working directory cannot be read, may be of this checkout
  }
}

/** Makes this process's folder, and removes folders of killed processes. @returns a function that removes this folder and an empty parent */
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
