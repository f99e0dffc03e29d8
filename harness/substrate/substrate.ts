/** Where the lab's hosts live. */
export interface Substrate {
  name: "compose" | "netns";
  /** The socket that says a run is under way. */
  lockPath: string;
  /** A command that runs a script on the harness's host, and first brings the hosts up where they are not up already. */
  commandInside(script: string, ...args: string[]): string[];
  /**
   * Take hold of what outlives a lane.
   * @param onLost called when a host has gone away that no new lane brings back
   * @returns how to let go
   */
  open(onLost: (message: string) => void): Promise<() => void>;
}

/** How every part of the lab is started: TypeScript as it is. */
export const nodeCommand = (script: string, ...args: string[]) => [process.execPath, "--import", "tsx", script, ...args];
