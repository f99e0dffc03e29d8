import { filesEndingIn, loadEntries } from "../../schema/entries.ts";
import type { ChangeKind } from "./change.ts";

/** All kinds of changes, in the order of their names. */
export const changeKinds: readonly ChangeKind[] = await loadEntries<ChangeKind>(
  filesEndingIn(".change.ts", "harness/advise/changes"),
  "change",
  (name) => import(`./changes/${name}.change.ts`),
);
