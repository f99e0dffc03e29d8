/** What a machine must have for guests: memory, space for their memory files, and programs in their root file system. */
import { existsSync, readFileSync, statfsSync } from "node:fs";
import os from "node:os";
import { coreQuota, cores } from "../cores.ts";
import type { Root } from "./root/root.ts";

/** The memory that a guest sees. */
export const memoryMiB = 3072;
/** How much memory a lane uses, including the files that the host caches for it. With 1280 MiB a lane was killed, with 1536 MiB it was not. */
const usedMiB = 1500;

/** Returns this machine's memory or, in a container, the container's limit. */
export const machineMiB = () => Math.floor(Math.min(os.totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20);

/** The default number of lanes: one per core, or fewer if the memory is less than `memoryMiB` for each. A container's limits count. */
export function autoLanes(): number {
  return Math.max(1, Math.min(cores().length, coreQuota(), Math.floor(machineMiB() / memoryMiB)));
}

/** Checks the memory, because the kernel would kill lanes without a message. @throws Error that says what to use instead */
export function enoughMemory(lanes: number, haveMiB: number): string {
  const most = Math.floor(haveMiB / usedMiB);
  const advice = most > 0 ? `use --lanes ${most}` : "use --clock real, which needs less";
  if (lanes > most) throw new Error(`there are ${haveMiB} MiB, and each lane needs ${usedMiB} MiB: ${advice}`);
  return `${haveMiB} MiB`;
}

/** @throws Error if there is no space for the guests' memory files */
export async function enoughRoom(temporary: string, guests: number): Promise<string> {
  const { bavail, bsize } = statfsSync(temporary);
  const freeMiB = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMiB < usedMiB * guests)
    throw new Error(
      `${freeMiB} MiB are free in ${temporary}, and each lane needs ${usedMiB} MiB: use fewer --lanes, or another TMPDIR`,
    );
  return `${freeMiB} MiB free in ${temporary}`;
}

/** Says which packages in `folder`/packages.txt the guests' root file system lacks; null if none, or if the root file system is not built yet. */
export function lacksPackages(root: Pick<Root, "packages"> | null, folder: string): string | null {
  const list = `${folder}/packages.txt`;
  if (!root || !existsSync(list)) return null;
  const names = readFileSync(list, "utf8")
    .replace(/#.*/g, "")
    .split("\n")
    .map((line) => line.trim());
  const absent = names.filter((name) => name && !root.packages.includes(`\n${name} `));
  return absent.length ? `the guests' root file system, of Debian 13's packages, lacks ${absent.join(", ")}` : null;
}
