/** The user-mode kernel whose clock is virtual: its path, its build, and the command that starts a guest. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statfsSync } from "node:fs";
import os from "node:os";
import { resolve } from "node:path";
import { plainWord, run, runLong } from "../../../hosts/command.ts";
import { ExitCode, LabError } from "../../../schema/errors.ts";

/** From the checkout, where every process of the lab is started: the shaper's agent is bundled, and has no folder of its own. */
const script = resolve("substrate/guest/kernel/build.sh");

/** The path of the kernel of this configuration; null if it has not been built. */
export function kernelPath(): string | null {
  const path = execFileSync(script, ["--path"], { encoding: "utf8" }).trim();
  return existsSync(path) ? path : null;
}

/** As `uname -r` prints it inside. */
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
  /** How long a program takes on average after each wake-up: drawn each time, uniformly from 0 to twice this. */
  processingNs: number;
}

/**
 * Libraries choose code by the processor's features and maker. In a guest they choose the same on every processor, from the first
 * process on: OpenSSL and BoringSSL, which would also take random numbers from it; glibc, also by the sizes of caches.
 */
const sameCode = [
  "OPENSSL_ia32cap=~0x7c40100000000000:~0xffffffffffffffff",
  `GLIBC_TUNABLES=${[
    `hwcaps=${[
      ...["AVX", "AVX2", "AVX512F", "AVX512VL", "AVX512BW", "AVX512CD", "AVX512DQ", "BMI1", "BMI2", "LZCNT", "MOVBE"],
      ...["FMA", "FMA4", "ERMS", "FSRM", "RTM", "XSAVE", "XSAVEC", "SSSE3", "SSE4_1", "SSE4_2", "POPCNT"],
      ...["Slow_BSF", "Fast_Rep_String", "Fast_Copy_Backward", "Slow_SSE4_2", "Prefer_ERMS", "Prefer_FSRM"],
      ...["Avoid_Short_Distance_REP_MOVSB", "Avoid_Non_Temporal_Memset"],
    ]
      .map((feature) => `-${feature}`)
      .join()},Fast_Unaligned_Load,Fast_Unaligned_Copy,Prefer_PMINUB_for_stringop`,
    "x86_data_cache_size=0x8000",
    "x86_shared_cache_size=0x100000",
    "x86_non_temporal_threshold=0xc0000",
    "x86_rep_movsb_threshold=0x800",
    "x86_rep_stosb_threshold=0x800",
  ]
    .map((one) => `glibc.cpu.${one}`)
    .join(":")}`,
];

/**
 * sched(7): a program that another one wakes starts when that one waits, and not in the middle of what it does. As no time passes
 * while they compute, it then finds all that the other had to say, and a load has fewer system calls.
 */
const startsLater = ["chrt", "--batch", "0"];

/** The files in the folder that a guest is started in. They have no path, because the kernel's command line becomes part of its memory. */
export const guestFiles = {
  /** Image of its root (substrate/guest/root/build.sh). */
  root: "root.img",
  /** Archive of what it reads of the lab, which substrate/guest/root/init.sh unpacks. */
  lab: "lab.tar",
  /** Where it is there, the kernel writes a line for each system call (changes.patch). */
  calls: "calls",
};

/**
 * The command that boots a guest and runs a command in it, with that one's output on stdout and everything else on stderr. It exits with
 * 0 if the command did, otherwise by a panic, which ends the process group: start it in one of its own. Its folder must have
 * `guestFiles` and belong to this guest alone, and TMPDIR must be where its memory file belongs (scratchParent).
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
    // A guest that mounts the host's files finds its own folder, and no other.
    "hostfs=./",
    `ubd0r=${guestFiles.root}`,
    `ubd1r=${guestFiles.lab}`,
    "root=/dev/ubda",
    "rootfstype=erofs",
    "ro",
    "init=/init",
    // No input: it would arrive at a time that the guest's clock does not determine.
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
    ...sameCode,
    ...environment,
    "--",
    ...startsLater,
    ...command,
  ];
}

/** Where a guest's memory file belongs: in /dev/shm, if that has room for it and allows to map files as code. */
export function scratchParent(memoryMiB: number): string {
  const shm = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .findLast((words) => words[4] === "/dev/shm");
  if (!shm || shm[5]?.split(",").includes("noexec")) return os.tmpdir();
  const { bavail, bsize } = statfsSync("/dev/shm");
  return (bavail * bsize) / 2 ** 20 > memoryMiB ? "/dev/shm" : os.tmpdir();
}
