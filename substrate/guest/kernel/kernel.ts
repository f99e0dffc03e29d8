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

/** Makes libraries choose the same code on every processor. Without this, OpenSSL and BoringSSL would also take random numbers from the processor. */
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

/** With this policy (sched(7)), a woken program starts when its waker waits, not before: it finds all that the waker sent, in fewer system calls. */
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
 * Returns the command that boots a guest and runs `command` in it. The output of `command` goes to stdout, all else to stderr. If `command` fails,
 * the guest's kernel panics and ends its process group. Give each guest its own group and folder (`guestFiles`), and TMPDIR from `scratchParent`.
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
