/** How lanes share the work. A lane ends after some loads, so that nothing can accumulate in it. */
export type LanePolicy =
  /**
   * Links may drift. There is one lane at a time, for `chunkLoads` loads, and each further lane measures again two links whose
   * measurements are older than `measureAgainMs`.
   */
  | { links: "drift"; chunkLoads: number; measureAgainMs: number }
  /**
   * Links cannot drift, because nothing disturbs the clock: each is measured once, before all loads. The plan alone decides which links
   * and loads share a lane (harness/plan/chunk-sizes.ts).
   */
  | { links: "hold"; atOnce: number };

/** Identifies a lane. It determines a guest's random numbers and time. */
export interface Slot {
  /** Its number among the lanes that run at the same time, from 0. */
  number: number;
  seed: number;
  chunk: number;
  /** The parts of the site that its servers need, as paths below its root; without it, the whole site. */
  site?: readonly string[];
  /** Names of the servers that its loads use; without it, all. */
  servers?: readonly string[];
}

/** Where the lab's hosts run. */
export interface Substrate {
  name: "compose" | "netns" | "guest";
  clock: "real" | "virtual";
  /** The socket on which an active run listens. */
  lockPath: string;
  lanes: LanePolicy;
  /** Which settings hosts cannot have here, and why. Keys are beginnings of paths ("client.sysctls"), or paths with a value ("path=value"). */
  cannotSet: Record<string, string>;
  /** Why its hosts cannot run a program; null if they can, or if it is unknown yet. @param folder has a packages.txt with the program's packages */
  lacks(program: string, folder: string): string | null;
  /** A command that runs a script on the harness's host. It starts the hosts unless they are running. @param file for the script to read */
  commandInside(script: string, file?: string): string[];
  /** The same as `commandInside`, for one of several lanes. Prepares the slot's folder anew, so no other lane may run in this slot. */
  laneCommand(slot: Slot, script: string, file?: string): string[];
  /**
   * The SHA-256 of everything that determines a lane's results; absent if chance also influences them. Prepares the slot's folder, too.
   * @param file the file that `laneCommand` passes to its script
   */
  laneInput?(slot: Slot, script: string, file: string): string;
  /** The time on a lane's clock when it starts this chunk. */
  timeOf(chunk: number): Date;
  /** Writes into a run's folder what lanes do not report about the machine. Call it after `open`. */
  recordMachine?(folder: string): void;
  /**
   * Starts what all lanes need.
   * @param onLost called when a host has ended and no new lane will start it again
   * @param signal interrupts it
   * @returns a function that stops what was started
   */
  open(onLost: (message: string) => void, signal: AbortSignal): Promise<() => void>;
}

/** Lanes on the real clock: one at a time, because two would disturb each other. A lane takes about a quarter of an hour. */
export const realLanes: LanePolicy = { links: "drift", chunkLoads: 300, measureAgainMs: 10 * 60_000 };

const dayMs = 24 * 3600 * 1000;

/** On the virtual clock each chunk has its own day, from the year 2000 on, so that no time coincides with a run on the real clock. */
export const virtualTimeOf = (chunk: number): Date => new Date(Date.UTC(2000, 0, 1) + chunk * dayMs);

/** The command that starts a script of the lab. @param args undefined arguments are left out */
export const nodeCommand = (script: string, ...args: (string | undefined)[]): string[] => [
  ...[process.execPath, "--import", "tsx", script],
  ...args.filter((word) => word !== undefined),
];
