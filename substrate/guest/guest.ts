import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import { resolve } from "node:path";
import { asBundled } from "../../hosts/bundled.ts";
import { run } from "../../hosts/command.ts";
import { environment } from "../../hosts/environment.ts";
import { sha256 } from "../../schema/sha256.ts";
import { ensureSharedFiles } from "../../servers/shared-files.ts";
import { bundleScripts } from "../bundle.ts";
import { diskCheck, requireAll } from "../checks.ts";
import { cores } from "../cores.ts";
import { recordMachine } from "../machine-record.ts";
import { netns } from "../netns.ts";
import { openOwnFolder, ownFolder } from "../own-folder.ts";
import { nodeCommand, type Slot, type Substrate, virtualTimeOf } from "../substrate.ts";
import { buildKernel, guestCommand, guestFiles, scratchParent } from "./kernel/kernel.ts";
import { packLane } from "./lane-files.ts";
import { enoughMemory, enoughRoom, lacksPackages, machineMiB, memoryMiB } from "./requirements.ts";
import { findRoot, makeRoot, type Root } from "./root/root.ts";
import { openRoot } from "./root/root-file.ts";

const allGuests = ".lab/guests";
const guestsFolder = ownFolder(allGuests);
/** The name, inside the guest, of the file with a lane's chunk. The name is the same for every run. */
const givenFile = "given.json";

/** Hashes of what guests run: their root file system with its programs, their kernel, and the lab's files without pages. */
export interface GuestVersions {
  guestRoot: string;
  kernelImage: string;
  labFiles: string;
}

export interface GuestSubstrate extends Substrate {
  /** Must be called after `open`. */
  versions(): GuestVersions;
  /** Returns a substrate with another reaction time. If this substrate is open, the returned substrate is open, too. */
  withProcessing(processingMs: number): Substrate;
}

/** The kernel and the root file system on which guests run. */
interface Machine {
  kernel: string;
  root: Root;
  /** Variables of guests' environment (hosts/environment.ts). */
  versions: string[];
  hashes: GuestVersions;
}

const hashLength = 12;
async function makeMachine(signal: AbortSignal, given?: Root): Promise<Machine> {
  const [kernel, root] = [resolve(await buildKernel(signal)), given ?? (await makeRoot(signal))];
  const kernelHash = sha256(readFileSync(kernel));
  await sharedFiles(signal);
  await bundleScripts();
  const [kernelImage = "", guestRoot = "", labFiles = ""] = [kernelHash, root.sha256, hashOfLab()].map((hash) =>
    hash.slice(0, hashLength),
  );
  const versions = [`LAB_FILES=${labFiles}`, `LAB_KERNEL=${kernelImage}`, `LAB_ROOT=${guestRoot}`];
  return { kernel, root, hashes: { kernelImage, guestRoot, labFiles }, versions };
}

/** Creates the shared files, because a guest cannot. The first time takes long, so it is done in a process that an abort can end. */
async function sharedFiles(signal: AbortSignal): Promise<void> {
  if (!existsSync(`${environment.state}/site`))
    await run(nodeCommand("servers/setup.ts", environment.state), "", signal);
  else await ensureSharedFiles(environment.state);
}

/** Returns the name of the log of a guest's system calls. @param chunk the chunk that the guest runs */
export const callsFile = (chunk: number) => `chunk-${chunk}.calls`;

interface GuestOptions {
  processingMs: number;
  /** The folder for the guest's memory file. */
  temporary: string;
  /** A folder for logs of guests' system calls; undefined if they are not kept. */
  callsFolder: string | undefined;
}

function guestLane(
  { processingMs, temporary, callsFolder }: GuestOptions,
  { kernel, root, versions }: Machine,
  slot: Slot,
  script: string,
  given?: string,
): string[] {
  const { number, seed, chunk } = slot;
  const allowed = cores();
  const folder = `${guestsFolder}/${number}`;
  rmSync(folder, { recursive: true, force: true }); // left by a lane that was killed
  mkdirSync(folder, { recursive: true });
  symlinkSync(root.image, `${folder}/${guestFiles.root}`);
  if (callsFolder !== undefined) {
    const log = resolve(callsFolder, callsFile(chunk));
    writeFileSync(log, "");
    symlinkSync(log, `${folder}/${guestFiles.calls}`);
  }
  const file = given === undefined ? undefined : givenFile;
  if (given !== undefined) copyFileSync(given, `${folder}/${givenFile}`);
  packLane(`${folder}/${guestFiles.lab}`, slot, file && { folder, file });
  const command = guestCommand(
    {
      kernel,
      memoryMiB,
      startNs: BigInt(virtualTimeOf(chunk).getTime()) * 1_000_000n,
      seed: seed * 2 ** 20 + chunk,
      processingNs: Math.round(processingMs * 1e6),
    },
    ["LAB_CLOCK=virtual", ...(slot.webHosts ? [`LAB_WEB_HOSTS=${slot.webHosts}`] : []), ...versions],
    asBundled(nodeCommand("substrate/netns-lane.ts", script, file)),
  );
  // taskset, because a guest whose processes move between cores takes twice as long. setpriv ends the guest when its parent process ends.
  return [
    "env",
    `--chdir=${folder}`,
    `TMPDIR=${temporary}`,
    "taskset",
    "--cpu-list",
    String(allowed[number % allowed.length]),
    "setpriv",
    "--pdeathsig",
    "KILL",
    ...command,
  ];
}

/** Hashes a guest's programs, files and arguments (SHA-256). @param command the result of `guestLane`, which has prepared the lane's folder */
function guestInput(command: string[], slot: number, { kernel, root }: Machine): string {
  const files = [kernel, `${guestsFolder}/${slot}/${guestFiles.lab}`].map((file) => sha256(readFileSync(file)));
  return sha256(JSON.stringify([root.sha256, ...files, ...command.slice(command.indexOf(kernel) + 1)]));
}

/**
 * Makes the substrate that runs each lane in a user-mode kernel with a virtual clock, without namespaces, root privileges or a container engine.
 * @param atOnce how many lanes run at the same time @param rootFile a saved root file system; if undefined, one is built
 */
export function guest(atOnce: number, processingMs: number, rootFile?: string, callsFolder?: string): GuestSubstrate {
  const options: GuestOptions = { processingMs, temporary: scratchParent(memoryMiB * atOnce), callsFolder };
  const root = rootFile === undefined ? undefined : openRoot(rootFile);
  let machine: Machine | undefined;
  const opened = () => {
    if (!machine) throw new Error("a guest was started before its kernel and root file system existed");
    return machine;
  };
  const lanesWith = (own: GuestOptions) => {
    const laneCommand: Substrate["laneCommand"] = (...given) => guestLane(own, opened(), ...given);
    const laneInput: NonNullable<Substrate["laneInput"]> = (...given) =>
      guestInput(laneCommand(...given), given[0].number, opened());
    return { laneCommand, laneInput };
  };
  const commands = lanesWith(options);
  const substrate: GuestSubstrate = {
    name: "guest",
    clock: "virtual",
    lockPath: netns.lockPath,
    lanes: { links: "hold", atOnce },
    cannotSet: {
      "client.cpuSlowdown":
        "on the virtual clock computing takes no time, so a slowdown would only add pauses; ./lab run --clock real supports it",
    },
    lacks: (_, folder) => lacksPackages(root ?? machine?.root ?? findRoot(), folder),
    timeOf: virtualTimeOf,
    commandInside: (script, file) => commands.laneCommand({ number: 0, seed: 0, chunk: 0 }, script, file),
    ...commands,
    recordMachine: (folder) => machine && recordMachine(folder, machine.root),
    async open(_, signal) {
      mkdirSync(environment.state, { recursive: true });
      await requireAll([
        diskCheck,
        { what: "memory", probe: async () => enoughMemory(atOnce, machineMiB()) },
        { what: `memory files of ${atOnce} guests`, probe: () => enoughRoom(options.temporary, atOnce) },
      ]);
      machine = await makeMachine(signal, root);
      return openOwnFolder(allGuests);
    },
    versions: () => opened().hashes,
    withProcessing: (processingMs) => ({ ...substrate, ...lanesWith({ ...options, processingMs }) }),
  };
  return substrate;
}

/** Hashes the files that every lane reads. Pages, and programs that the lab has built, are not included. */
function hashOfLab(): string {
  const folder = mkdtempSync(`${os.tmpdir()}/lab-files-`);
  try {
    packLane(`${folder}/lab.tar`, { site: [], servers: [] });
    return sha256(readFileSync(`${folder}/lab.tar`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
