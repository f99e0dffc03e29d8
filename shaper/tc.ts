import { plainLine } from "../hosts/command.ts";
import type { Shell } from "./shell.ts";

/** -force continues after a command that fails; -json prints a line for each "show". tc(8) */
const program = ["tc", "-statistics", "-json", "-force", "-batch", "-"];
/** The output of this command marks the end of each batch. */
const show = ["qdisc", "show"];

/**
 * Keeps one tc running, because starting a program in a user-mode kernel takes 40 to 90 ms, and each load needs tc twice.
 * @param shell is replaced by tc
 */
export function openTc(shell: Shell): (commands: string[][]) => Promise<string> {
  const send = shell.become(program, (line) => line.startsWith("["));
  /** @returns all queueing disciplines after the commands, as JSON @throws Error with tc's message for a command that it refuses */
  return async (commands) => {
    const output = await send([...commands, show].map(plainLine));
    const json = output.pop()!;
    if (output.length) throw new Error(`${commands.map(plainLine).join("; ")}: ${output.join(" ")}`);
    return json;
  };
}
