/** How lanes share the work. A lane ends after some loads, so that nothing can accumulate in it. */
export type LanePolicy =
  /** Links may drift: one lane at a time makes `chunkLoads` loads, after repeating a few link measurements that are older than `measureAgainMs`. */
  | { links: "drift"; chunkLoads: number; measureAgainMs: number }
  /** Links cannot drift: each is measured once, before all loads. The plan alone decides which links and loads share a lane (plan/chunk-sizes.ts). */
  | { links: "hold"; atOnce: number };

/** Identifies a lane. `seed` and `chunk` determine the random numbers of a guest, and `chunk` its time. */
export interface Slot {
  /** The lane's number among the lanes that run at the same time, from 0. */
  number: number;
  seed: number;
  chunk: number;
  /** The parts of the site that the lane's servers need, as paths below the site's root; absent for the whole site. */
  site?: readonly string[];
  /** The names of the servers that the lane's loads use; absent for all servers. */
  servers?: readonly string[];
  /** How many hosts with servers the lane needs; absent for all. Guests start only these hosts; other substrates start all. */
  webHosts?: number;
}

/** Where the lab's hosts run. */
export interface Substrate {
  name: "compose" | "netns" | "guest";
  clock: "real" | "virtual";
  /** The socket on which an active run listens. */
  lockPath: string;
  lanes: LanePolicy;
  /** Settings that hosts cannot have here -> why. A key is the start of a path ("client.sysctls"), or a path with a value ("path=value"). */
  cannotSet: Record<string, string>;
  /** Says why hosts cannot run a program; null if they can, or if it is unknown yet. @param folder the folder of the program's packages.txt */
  lacks(program: string, folder: string): string | null;
  /** Returns a command that starts the hosts, unless they run, and runs a script on the harness's host. @param file the script's input */
  commandInside(script: string, file?: string): string[];
  /** Like `commandInside`, for one of several lanes. Empties and fills the slot's folder, so no other lane may run in this slot. */
  laneCommand(slot: Slot, script: string, file?: string): string[];
  /** The SHA-256 of all that determines a lane's results; absent if chance also influences them. Parameters and side effects: see `laneCommand`. */
  laneInput?(slot: Slot, script: string, file: string): string;
  /** Returns the time on a lane's clock when the lane starts this chunk. */
  timeOf(chunk: number): Date;
  /** Writes into a run's folder what lanes do not report about the machine. Must be called after `open`. */
  recordMachine?(folder: string): void;
  /** Starts what all lanes need. @param onLost called when a host has ended and no new lane will start it again @returns a function that stops it */
  open(onLost: (message: string) => void, signal: AbortSignal): Promise<() => void>;
}

/** Lanes on the real clock: one at a time, because two would disturb each other. A lane takes about a quarter of an hour. */
export const realLanes: LanePolicy = { links: "drift", chunkLoads: 300, measureAgainMs: 10 * 60_000 };

const dayMs = 24 * 3600 * 1000;

/** On the virtual clock each chunk has its own day, from the year 2000 on, so that no time coincides with a run on the real clock. */
export const virtualTimeOf = (chunk: number): Date => new Date(Date.UTC(2000, 0, 1) + chunk * dayMs);

/** Returns the command that starts a script of the lab. @param args the script's arguments; undefined arguments are left out */
export const nodeCommand = (script: string, ...args: (string | undefined)[]): string[] => [
  ...[process.execPath, "--import", "tsx", script],
  ...args.filter((word) => word !== undefined),
];
