import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import os from "node:os";
import { run } from "../hosts/command.ts";
import { environment } from "../hosts/environment.ts";
import { buildKernel, guestCommand, kernelPath, scratchParent } from "../kernel/kernel.ts";
import { madePrograms } from "../servers/made.ts";
import { asBundled, bundleScripts } from "./bundle.ts";
import { requireAll, sharedChecks } from "./checks.ts";
import { guestVersions } from "./guest-versions.ts";
import { netns } from "./netns.ts";
import { nodeCommand, type Slot, type Substrate, virtualTimeOf } from "./substrate.ts";

const memoryMiB = 3072;
/** What of that a lane was seen to use, with what it reads of the host's files. */
const usedMiB = 1500;
/** Six a block of 288: enough loads to pay for starting a guest. */
const chunkLoads = 48;
const guestsFolder = ".lab/guests";
/** What a guest sees of its folder there (guest.sh). */
const ownFolder = "/dev/shm/own";

/** The cores this process may use: Cpus_allowed_list, as in "0-1,4". proc_pid_status(5) */
export function cores(
  list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0",
): number[] {
  return list.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** As many lanes as cores, and as memory has room for; in a container, as many as it was given. */
export function autoLanes(): number {
  const memoryBytes = Math.min(os.totalmem(), process.constrainedMemory() || Infinity);
  return Math.max(1, Math.min(cores().length, coreQuota(), Math.floor(memoryBytes / 2 ** 20 / memoryMiB)));
}

/** Cores' worth of time a control group may use: cpu.max, as in "200000 100000", or "max". */
function coreQuota(): number {
  try {
    const [quotaUs, periodUs] = readFileSync("/sys/fs/cgroup/cpu.max", "utf8").trim().split(" ");
    return quotaUs === "max" ? Infinity : Math.ceil(Number(quotaUs) / Number(periodUs));
  } catch {
    return Infinity; // no control groups of version 2
  }
}

/** What a guest copies of certificates and pages, a line each (guest.sh): of a site with large pages, copying all would take minutes. */
const stateOf = (site: readonly string[]): string =>
  ["certificates", ...site.map((path) => `site/${path}`)].map((path) => `state/${path}\n`).join("");

interface GuestOptions {
  processingMs: number;
  /** For the guest's memory file. */
  temporary: string;
  versions: string[];
}

function guestLane(
  { processingMs, temporary, versions }: GuestOptions,
  { lane, seed, chunk, site = [""] }: Slot,
  script: string,
  args: string[],
): string[] {
  const allowed = cores();
  const scratch = `${guestsFolder}/${lane}`;
  rmSync(scratch, { recursive: true, force: true }); // of one that was killed
  mkdirSync(scratch, { recursive: true });
  // A lane's chunk has one name inside, whichever folder its run has.
  const inside = args.map((file) => {
    if (!existsSync(file)) return file;
    copyFileSync(file, `${scratch}/given.json`);
    return `${ownFolder}/given.json`;
  });
  writeFileSync(`${scratch}/state`, stateOf(site));
  const command = guestCommand(
    {
      kernel: kernelPath() ?? "",
      memoryMiB,
      scratch,
      startNs: BigInt(virtualTimeOf(chunk).getTime()) * 1_000_000n,
      seed: seed * 2 ** 20 + chunk,
      processingNs: Math.round(processingMs * 1e6),
    },
    ["LAB_CLOCK=virtual", `LAB_OWN=${scratch}`, ...versions],
    asBundled(nodeCommand("substrate/netns-lane.ts", script, ...inside)),
  );
  // A guest whose processes wander between cores takes twice as long. It goes when the one that started it is gone.
  return [
    "env",
    `TMPDIR=${temporary}`,
    "taskset",
    "--cpu-list",
    String(allowed[lane % allowed.length]),
    "setpriv",
    "--pdeathsig",
    "KILL",
    ...command,
  ];
}

/** @throws Error when the guests' memory files would not find room */
async function room(temporary: string, guests: number): Promise<string> {
  const { bavail, bsize } = statfsSync(temporary);
  const freeMiB = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMiB < usedMiB * guests)
    throw new Error(`${freeMiB} MiB free in ${temporary}; a lane takes ${usedMiB}: fewer --lanes, or another TMPDIR`);
  return `${freeMiB} MiB free in ${temporary}`;
}

/**
 * The whole lab in kernels whose clock is virtual, a lane each: no namespaces, no rights, no engine on this machine.
 * @param atOnce how many @param processingMs see kernel.ts
 */
export function guest(atOnce: number, processingMs: number): Substrate {
  const options: GuestOptions = { processingMs, temporary: scratchParent(memoryMiB * atOnce), versions: [] };
  return {
    name: "guest",
    clock: "virtual",
    lockPath: netns.lockPath,
    lanes: { links: "hold", atOnce, chunkLoads },
    cannotSet: {
      "client.cpuSlowdown":
        "on the virtual clock computing takes no time, and what holds the page up would be nothing but pauses; ./lab run --clock real can",
    },
    timeOf: virtualTimeOf,
    commandInside: (script, ...args) => guestLane(options, { lane: 0, seed: 0, chunk: 0 }, script, args),
    laneCommand: (slot, script, ...args) => guestLane(options, slot, script, args),
    async open(_, signal) {
      mkdirSync(environment.state, { recursive: true });
      mkdirSync(guestsFolder, { recursive: true });
      mkdirSync(madePrograms, { recursive: true }); // or a guest has a mount less where no program was made yet, and another time
      await requireAll([
        ...sharedChecks,
        { what: `memory of ${atOnce} guests`, probe: () => room(options.temporary, atOnce) },
      ]);
      const kernel = await buildKernel(signal);
      await run(nodeCommand("servers/setup.ts", environment.state), "", signal); // a guest can write nothing here
      await bundleScripts();
      options.versions = guestVersions(kernel);
      return () => rmSync(guestsFolder, { recursive: true, force: true });
    },
  };
}
