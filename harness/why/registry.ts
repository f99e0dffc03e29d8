import { filesEndingIn, loadEntries } from "../../schema/entries.ts";
import { usageError } from "../../schema/errors.ts";
import type { Cause } from "./cause.ts";

export const causes: readonly Cause[] = await loadEntries<Cause>(
  filesEndingIn(".cause.ts", "harness/why/causes"),
  "cause",
  (name) => import(`./causes/${name}.cause.ts`),
);

/** @throws LabError (usage) that lists the known causes */
export function causeNamed(name: string, where: string): Cause {
  const cause = causes.find((one) => one.name === name);
  if (cause) return cause;
  throw usageError(`${where}: unknown cause "${name}"; known: ${causes.map((one) => one.name).join(", ")}`);
}
