/** How a plan is shared out to lanes. A lane ends after `chunkLoads`, whatever it has gathered meanwhile. */
export type LanePolicy =
  /**
   * Links may drift: one lane at a time, and with a further lane two links are measured again whose measurement is
   * `measureAgainMs` old.
   */
  | { links: "drift"; chunkLoads: number; measureAgainMs: number }
  /**
   * Links hold, on a clock that nothing disturbs: each is measured once, before all loads; which links and
   * which loads share a lane depends on the plan alone.
   */
  | { links: "hold"; chunkLoads: number; atOnce: number };

/** Which lane a command is, and what makes it differ from every other: what is random in a guest, and its time, follow from it. */
export interface Slot {
  /** Counted from 0, of those that run at once. */
  lane: number;
  seed: number;
  chunk: number;
  /** What its servers need of the site, as paths below its root; all of it, where nobody says. */
  site?: readonly string[];
  /** Names of the servers that its loads ask, whose programs may have been made here; all of them, where nobody says. */
  servers?: readonly string[];
}

/** Where the lab's hosts live. */
export interface Substrate {
  name: "compose" | "netns" | "guest";
  clock: "real" | "virtual";
  /** The socket that says a run is under way. */
  lockPath: string;
  lanes: LanePolicy;
  /** Settings that hosts cannot be given here, by the beginning of their path ("client.sysctls") or with a value ("path=value"), and why. */
  cannotSet: Record<string, string>;
  /** Why its hosts cannot run a program of this folder, which lists the packages that have it; null where they can, or nobody knows yet. */
  lacks(program: string, folder: string): string | null;
  /** A command that runs a script on the harness's host, and first brings the hosts up where they are not up already. */
  commandInside(script: string, ...args: string[]): string[];
  /** The same, for one lane of several. */
  laneCommand(slot: Slot, script: string, ...args: string[]): string[];
  /** What the clock says when a lane on this chunk begins. */
  timeOf(chunk: number): Date;
  /** Leaves in a run's folder what it is made with, as far as lanes do not say it. To be called once it is open. */
  recordMachine?(folder: string): void;
  /**
   * Take hold of what outlives a lane.
   * @param onLost called when a host has gone away that no new lane brings back
   * @param signal ends the opening, if that is still under way
   * @returns how to let go
   */
  open(onLost: (message: string) => void, signal: AbortSignal): Promise<() => void>;
}

/** Lanes on the real clock: one at a time, or they would disturb each other; a quarter of an hour each. */
export const realLanes: LanePolicy = { links: "drift", chunkLoads: 300, measureAgainMs: 10 * 60_000 };

const dayMs = 24 * 3600 * 1000;

/** On the virtual clock a chunk has a day of its own, from 2000 on: no run on the real clock was ever there. */
export const virtualTimeOf = (chunk: number): Date => new Date(Date.UTC(2000, 0, 1) + chunk * dayMs);

/** How every part of the lab is started: TypeScript as it is. */
export const nodeCommand = (script: string, ...args: string[]) => [
  process.execPath,
  "--import",
  "tsx",
  script,
  ...args,
];
