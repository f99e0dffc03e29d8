/** Changes that `./lab advise` tries. For each kind of change, a file changes/<name>.change.ts exports a `ChangeKind` with the name `change`. */
import type { ConditionValues, Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import type { EditablePage } from "../../sites/edits/editable-page.ts";
import type { Edit } from "../../sites/edits/edited-page.ts";

/** A change of the stack sets axis values, which each load's evidence confirms. A change of the page edits the page's files. */
export type Change = {
  /** The name on the command line: "protocol-h3", "without:img/0.jpg". */
  name: string;
  /** The end of the sentence "To make the page faster, ...": "serve it over HTTP/3". */
  title: string;
  /** Whether the change is meant to stop the page's request for this file. */
  takesAway?(path: string): boolean;
  /** Set if the change leaves out files, so the page shows or does less. Its saving is what these files cost, and not advice. */
  leavesOut?: true;
  /** Set if only the lab's imitation of the change looks different, such as a truncated image. Pictures are then not compared. */
  looksDifferent?: true;
} & ({ values: Values; edit?: never } | { edit: Edit; values?: never });

/** What one load of the unchanged page shows. */
export interface SeenPage {
  page: EditablePage;
  /** The HTML file that is loaded. */
  document: string;
  /** The requests in the order of their start; `bytes` is the size of the file as it was sent. */
  requests: readonly { path: string; host: string; bytes: number; initiator: "style" | "script" | null }[];
  /** The file of the image that is the largest contentful paint; null if that paint is not an image. */
  largestImage: string | null;
  /** The files of img elements that are at least partly in the window; null if no picture of the window was taken. */
  imagesInWindow: ReadonlySet<string> | null;
}

export interface Tried {
  /** The present axis values: the stack, the page, and one of the links. */
  now: ConditionValues;
  /** The time to make shorter, by its name in budgets: "pageLoad". */
  metric: string;
  /** null if the lab cannot edit the page's files: the page is generated, or is a recording without HTML. */
  seen: SeenPage | null;
  registries: Registries;
}

export interface ChangeKind {
  /** The name in option --kinds: "protocol". */
  name: string;
  /** The description in the command's help: "another protocol". */
  title: string;
  changesOf(tried: Tried): Change[];
}
