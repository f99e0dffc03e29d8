import { readRegistries } from "../../axes/registries.ts";
import { axisNamed, axisNames } from "../../axes/registry.ts";
import { usageError } from "../../schema/errors.ts";
import { valuesIn } from "../plan/select.ts";
import { type Given, trialName, trialOf } from "../plan/trial.ts";
import { type RunOptions, requestOf } from "../run/request.ts";
import { carryOut } from "../run/run.ts";
import type { StartProgress } from "../run/runner.ts";
import { printOrder } from "./run.ts";
import { startTableProgress } from "./table-progress.ts";
import { tables } from "./tables.ts";

type TrialOptions = Omit<RunOptions, "only" | "with" | "resume"> & Record<string, unknown>;

/** Compares the values of an axis without an experiment file, as hyperfine compares commands. */
export async function trial(options: TrialOptions): Promise<void> {
  const asked = { ...options, only: [], with: [] } as RunOptions;
  const request = await requestOf(trialName, trialOf(givenIn(options), readRegistries()), asked);
  if (asked.dryRun) return printOrder(request);
  let folder: string | undefined;
  const startProgress: StartProgress = (start) => {
    folder = start.folder;
    return startTableProgress(start);
  };
  try {
    await carryOut(request, { ...asked, print: console.error, startProgress });
  } finally {
    if (folder !== undefined) tables(folder, { format: "md" }); // of an interrupted run too
  }
}

/** The axes among the options, in the order of the command line, which is the order in which commander keeps them. */
function givenIn(options: TrialOptions): Given[] {
  const names = Object.keys(options).filter((name) => axisNames.includes(name));
  return names.map((name) => {
    const axis = axisNamed(name, `--${name}`);
    const [list, ...more] = options[name] as string[];
    if (more.length)
      throw usageError(`--${name} is given twice; give all its values at once, as in --${name} ${list},${more[0]}`);
    return { axis, values: valuesIn(axis, list!, `--${name} ${list}`) };
  });
}
