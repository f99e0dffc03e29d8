import { filesEndingIn, loadEntries } from "../../schema/entries.ts";
import { usageError } from "../../schema/errors.ts";
import type { ChangeKind } from "./change.ts";

/** All kinds of changes, in the order of their names. */
export const changeKinds: readonly ChangeKind[] = await loadEntries<ChangeKind>(
  filesEndingIn(".change.ts", "harness/advise/changes"),
  "change",
  (name) => import(`./changes/${name}.change.ts`),
);

/** @param names undefined for all kinds @throws LabError (usage) that lists the known kinds, if a name is unknown */
export function kindsNamed(names: readonly string[] | undefined): readonly ChangeKind[] {
  const known = changeKinds.map(({ name }) => name);
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw usageError(`--kinds: unknown kind of change ${JSON.stringify(unknown)}; known: ${known.join(", ")}`);
  return names ? changeKinds.filter(({ name }) => names.includes(name)) : changeKinds;
}
