/** The user-mode kernel whose clock is virtual: where it lies, making it, and the command that starts a guest of it. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statfsSync } from "node:fs";
import os from "node:os";
import { fileURLToPath } from "node:url";
import { plainWord, run, runLong } from "../hosts/command.ts";
import { ExitCode, LabError } from "../schema/errors.ts";

const script = fileURLToPath(new URL("build.sh", import.meta.url));

/** Where the kernel of this configuration lies, or null while it has not been built. */
export function kernelPath(): string | null {
  const path = execFileSync(script, ["--path"], { encoding: "utf8" }).trim();
  return existsSync(path) ? path : null;
}

/** As `uname -r` says inside. */
export const kernelVersion = async (path: string) => (await run([path, "--version"])).trim();

/** The kernel's path; it is built if it is not there, with progress on stderr. @throws LabError when this machine cannot */
export async function buildKernel(signal?: AbortSignal): Promise<string> {
  const code = await runLong(script, signal);
  signal?.throwIfAborted();
  const path = kernelPath();
  if (code !== 0 || !path)
    throw new LabError(ExitCode.machineCannot, "there is no kernel for the virtual clock, and it could not be built");
  return path;
}

export interface Guest {
  kernel: string;
  memoryMiB: number;
  /** The guest's clock when it starts, nanoseconds since 1970. */
  startNs: bigint;
  /** All of the guest's randomness: one seed, one result. */
  seed: number;
  /** What a program takes, on average, for what it waited for: drawn anew each time, evenly from 0 to twice this. 0: nothing ever. */
  processingNs: number;
}

/** What a guest finds in the folder it is started in. Names without a path: what a kernel's command line says becomes part of its memory. */
export const guestFiles = {
  /** Image of its root (root/build.sh). */
  root: "root.img",
  /** Archive of what it reads of the lab, which root/init.sh unpacks and works in. */
  lab: "lab.tar",
};

/**
 * The command that boots a guest and runs a command in it: what that prints is on stdout, everything else on stderr. It ends
 * with 0 when the command did, otherwise by a panic. Start it in a folder of its own that has `guestFiles`, with TMPDIR where its
 * memory file belongs (scratchParent), in a process group of its own: a panic ends the group.
 */
export function guestCommand(
  { kernel, memoryMiB, startNs, seed, processingNs }: Guest,
  environment: string[],
  command: string[],
): string[] {
  // Arguments travel on the kernel's command line, which knows no quotes.
  for (const word of [...environment, ...command])
    if (!plainWord.test(word))
      throw new LabError(
        ExitCode.machineCannot,
        `a guest's command line cannot hold ${JSON.stringify(word)}: letters, digits and . _ , : % / = + @ - are allowed`,
      );
  return [
    kernel,
    `mem=${memoryMiB}M`,
    "uml_dir=./",
    "umid=guest",
    `ubd0r=${guestFiles.root}`,
    `ubd1r=${guestFiles.lab}`,
    "root=/dev/ubda",
    "rootfstype=erofs",
    "ro",
    "init=/init",
    // Nothing comes in: input from outside would come at no time of the guest's.
    "con=null",
    "con0=null,fd:2",
    "con1=null,fd:1",
    "time-travel=inf-cpu",
    `time-travel-start=${startNs}`,
    `random_seed=${seed}`,
    `processing_ns=${processingNs}`,
    "norandmaps",
    "seccomp=on",
    "panic=-1",
    "noreboot",
    "quiet",
    ...environment,
    "--",
    ...command,
  ];
}

/** Where a guest's memory file belongs: in memory, if a file there may be mapped as code and there is room for it. */
export function scratchParent(memoryMiB: number): string {
  const shm = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .findLast((words) => words[4] === "/dev/shm");
  if (!shm || shm[5]?.split(",").includes("noexec")) return os.tmpdir();
  const { bavail, bsize } = statfsSync("/dev/shm");
  return (bavail * bsize) / 2 ** 20 > memoryMiB ? "/dev/shm" : os.tmpdir();
}
