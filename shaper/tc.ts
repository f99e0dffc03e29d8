import { plainLine } from "../hosts/command.ts";
import type { Shell } from "./shell.ts";

/** Goes on after a command that fails; says what it shows as JSON with statistics, a line a command. tc(8) */
const program = ["tc", "-statistics", "-json", "-force", "-batch", "-"];
/** Shown after every batch, so that something ends it. */
const show = ["qdisc", "show"];

/**
 * One tc that stays: starting a program in a user-mode kernel takes 40 to 90 ms, twice a load.
 * @param shell which it takes the place of
 */
export function openTc(shell: Shell): (commands: string[][]) => Promise<string> {
  const say = shell.become(program, (line) => line.startsWith("["));
  /** @returns all queueing disciplines after the commands, as JSON @throws Error with tc's own words for a command that it refuses */
  return async (commands) => {
    const said = await say([...commands, show].map(plainLine));
    const json = said.pop()!;
    if (said.length) throw new Error(`${commands.map(plainLine).join("; ")}: ${said.join(" ")}`);
    return json;
  };
}
