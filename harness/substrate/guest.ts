import { mkdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import { buildKernel, guestCommand, kernelPath, scratchParent } from "../../kernel/kernel.ts";
import { run } from "../command.ts";
import { sharedChecks, requireAll } from "./checks.ts";
import { asBundled, bundleScripts } from "./bundle.ts";
import { netns, stateFolder } from "./netns.ts";
import { nodeCommand, type Slot, type Substrate } from "./substrate.ts";

const memoryMiB = 3072;
/** Few enough that all cores have some in each block, enough to pay for starting a guest. */
const chunkLoads = 48;
/** A chunk has a day of its own, from here on: no run on the real clock was ever there. */
const epochMs = Date.UTC(2000, 0, 1);
const chunkMs = 24 * 3600 * 1000;
const guestsFolder = ".lab/guests";

/** The cores this process may use: Cpus_allowed_list, as in "0-1,4". proc_pid_status(5) */
export function cores(list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0"): number[] {
  return list.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** As many lanes as cores, and as memory has room for. */
export const autoLanes = () => Math.max(1, Math.min(cores().length, Math.floor(os.totalmem() / 2 ** 20 / memoryMiB)));

interface GuestOptions {
  processingMs: number;
  /** For the guest's memory file. */
  temporary: string;
}

function guestLane({ processingMs, temporary }: GuestOptions, { lane, seed, chunk }: Slot, script: string, args: string[]): string[] {
  const allowed = cores();
  const scratch = `${guestsFolder}/${lane}`;
  rmSync(scratch, { recursive: true, force: true }); // of one that was killed
  const command = guestCommand({
    kernel: kernelPath() ?? "", memoryMiB, scratch,
    startNs: BigInt(epochMs + chunk * chunkMs) * 1_000_000n,
    seed: seed * 2 ** 20 + chunk,
    processingNs: Math.round(processingMs * 1e6),
  }, ["LAB_CLOCK=virtual"], asBundled(nodeCommand("harness/substrate/netns-lane.ts", script, ...args)));
  // A guest whose processes wander between cores takes twice as long. It goes when the one that started it is gone.
  return ["env", `TMPDIR=${temporary}`, "taskset", "--cpu-list", String(allowed[lane % allowed.length]), "setpriv", "--pdeathsig", "KILL", ...command];
}

/**
 * The whole lab in kernels whose clock is virtual, a lane each: no namespaces, no rights, no engine on this machine.
 * @param atOnce how many @param processingMs see kernel.ts
 */
export function guest(atOnce: number, processingMs: number): Substrate {
  const options = { processingMs, temporary: scratchParent(memoryMiB * atOnce) };
  return {
    name: "guest",
    clock: "virtual",
    lockPath: netns.lockPath,
    lanes: { atOnce, chunkLoads, calibrateAgainMs: null },
    timeOf: (chunk) => new Date(epochMs + chunk * chunkMs),
    commandInside: (script, ...args) => guestLane(options, { lane: 0, seed: 0, chunk: 0 }, script, args),
    laneCommand: (slot, script, ...args) => guestLane(options, slot, script, args),
    async open() {
      mkdirSync(stateFolder, { recursive: true });
      mkdirSync(guestsFolder, { recursive: true });
      await requireAll(sharedChecks);
      await buildKernel();
      await run(nodeCommand("servers/setup.ts", stateFolder)); // a guest can write nothing here
      await bundleScripts();
      return () => rmSync(guestsFolder, { recursive: true, force: true });
    },
  };
}
