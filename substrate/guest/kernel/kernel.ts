/** The user-mode kernel whose clock is virtual: its path, its build, and the command that starts a guest. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statfsSync } from "node:fs";
import os from "node:os";
import { resolve } from "node:path";
import { plainWord, run, runLong } from "../../../hosts/command.ts";
import { ExitCode, LabError } from "../../../schema/errors.ts";

/** Resolved from the working directory, which is always the checkout: the shaper's agent is bundled, so it has no source folder. */
const script = resolve("substrate/guest/kernel/build.sh");

/** The path of the kernel of this configuration; null if it has not been built. */
export function kernelPath(): string | null {
  const path = execFileSync(script, ["--path"], { encoding: "utf8" }).trim();
  return existsSync(path) ? path : null;
}

/** The kernel's version, as `uname -r` prints it inside a guest. */
export const kernelVersion = async (path: string) => (await run([path, "--version"])).trim();

/** Builds the kernel if it does not exist, with progress on stderr. @returns its path @throws LabError if this machine cannot build it */
export async function buildKernel(signal?: AbortSignal): Promise<string> {
  const path = (await runLong(script, signal)) ? kernelPath() : null;
  if (!path)
    throw new LabError(
      ExitCode.machineCannot,
      "the kernel of the virtual clock does not exist, and could not be built",
    );
  return path;
}

export interface Guest {
  kernel: string;
  memoryMiB: number;
  /** The guest's clock when it starts, nanoseconds since 1970. */
  startNs: bigint;
  /** Determines all randomness in the guest: the same seed gives the same result. */
  seed: number;
  /** The mean time that a program computes after each wake-up. Each time is random, uniformly distributed from 0 to twice the mean. */
  processingNs: number;
}

/**
 * Libraries choose code by the processor's features and vendor. These variables make them choose the same code on every processor, from the
 * guest's first process on. OpenSSL and BoringSSL would also take random numbers from the processor; glibc also considers cache sizes.
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
 * With this scheduling policy (sched(7)), a woken program starts when the program that woke it waits, not in the middle of that program's work.
 * No time passes while programs compute, so the woken program then finds everything that the other one sent: a load has fewer system calls.
 */
const startsLater = ["chrt", "--batch", "0"];

/** The files in the folder that a guest is started in. They are named without a path, because the command line becomes part of the guest's memory. */
export const guestFiles = {
  /** Image of the guest's root file system (substrate/guest/root/build.sh). */
  root: "root.img",
  /** Archive of the lab's files that the guest reads; substrate/guest/root/init.sh unpacks it. */
  lab: "lab.tar",
  /** If this file exists, the kernel writes one line into it for each system call (changes.patch). */
  calls: "calls",
};

/**
 * The command that boots a guest and runs a command in it. That command's output goes to stdout, everything else to stderr. The guest exits
 * with 0 if the command exits with 0. Otherwise its kernel panics and ends the whole process group, so start the guest in its own process group. The
 * guest's folder must have `guestFiles` and belong to this guest alone. TMPDIR must be the place for the guest's memory file (scratchParent).
 */
export function guestCommand(
  { kernel, memoryMiB, startNs, seed, processingNs }: Guest,
  environment: string[],
  command: string[],
): string[] {
  // Arguments are passed on the kernel's command line, which does not support quotes.
  for (const word of [...environment, ...command])
    if (!plainWord.test(word))
      throw new LabError(
        ExitCode.machineCannot,
        `a guest's command line cannot contain ${JSON.stringify(word)}: letters, digits and . _ , : % / = + @ - are allowed`,
      );
  return [
    kernel,
    `mem=${memoryMiB}M`,
    "uml_dir=./",
    "umid=guest",
    // If a guest mounts the host's files, it sees only its own folder.
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

/** Where a guest's memory file is placed: in /dev/shm if that has room for it and allows executable mappings. */
export function scratchParent(memoryMiB: number): string {
  const shm = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .findLast((words) => words[4] === "/dev/shm");
  if (!shm || shm[5]?.split(",").includes("noexec")) return os.tmpdir();
  const { bavail, bsize } = statfsSync("/dev/shm");
  return (bavail * bsize) / 2 ** 20 > memoryMiB ? "/dev/shm" : os.tmpdir();
}
