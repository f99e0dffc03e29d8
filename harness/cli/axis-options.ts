/** Axes as command-line options, for commands that need no experiment file. */
import { type Command, Option } from "commander";
import { allAxes, axisNamed, axisNames } from "../../axes/registry.ts";
import { usageError } from "../../schema/errors.ts";
import { valuesIn } from "../plan/select.ts";
import type { Given } from "../plan/trial.ts";

export function addAxisOptions(command: Command): void {
  for (const { name, title, example, usual } of allAxes)
    command.addOption(
      new Option(
        `--${name} <value,…>`,
        `${title}; example: ${example}${usual === undefined ? "" : ` (default: ${usual})`}`,
      ).argParser((text: string, all: string[] = []) => [...all, text]),
    );
}

/** Returns the axes given as options, in the order of the command line, which commander keeps. */
export function givenIn(options: Record<string, unknown>): Given[] {
  const names = Object.keys(options).filter((name) => axisNames.includes(name));
  return names.map((name) => {
    const axis = axisNamed(name, `--${name}`);
    const [list, ...more] = options[name] as string[];
    if (more.length)
      throw usageError(`--${name} is given twice; give all its values at once, as in --${name} ${list},${more[0]}`);
    return { axis, values: valuesIn(axis, list!, `--${name} ${list}`) };
  });
}
