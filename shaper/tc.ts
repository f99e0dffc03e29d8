import { plainLine } from "../hosts/command.ts";
import type { Shell } from "./shell.ts";

/** -force continues after a command that fails; -json prints a line for each "show". tc(8) */
const program = ["tc", "-statistics", "-json", "-force", "-batch", "-"];
/** The output of this command marks the end of each batch. */
const show = ["qdisc", "show"];

export interface Tc {
  /** @returns all queueing disciplines after the commands, as JSON @throws Error with tc's message for a command that it refuses */
  run(commands: string[][]): Promise<string>;
  /** In a user-mode kernel: wakes the token bucket of a device (wake.ts). */
  wake(device: string): Promise<void>;
}

/** Replaces the shell by a tc that keeps running: starting a program in a user-mode kernel takes 40 to 90 ms, and each load needs tc twice. */
export function openTc(shell: Shell, wrapped = (tc: readonly string[]) => [...tc]): Tc {
  const send = shell.become(wrapped(program), (line) => line.startsWith("["));
  const answer = async (lines: string[], what: string) => {
    const output = await send(lines);
    const json = output.pop()!;
    if (output.length) throw new Error(`${what}: ${output.join(" ")}`);
    return json;
  };
  return {
    run: (commands) => answer([...commands, show].map(plainLine), commands.map(plainLine).join("; ")),
    async wake(device) {
      await answer([plainLine(["wake", device])], "tc");
    },
  };
}
