/**
 * A change that `./lab advise` tries. Each kind of change is a file in changes/, `<name>.change.ts`, that exports `change`: what it can
 * do to a page, or to the servers' stack.
 */
import type { ConditionValues, Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import type { EditablePage } from "../../sites/edits/editable-page.ts";
import type { Edit } from "../../sites/edits/edited-page.ts";

/** A change of the stack is axis values, whose evidence shows that it was made. A change of the page is an edit of its files. */
export type Change = {
  /** As on the command line: "protocol-h3", "without:img/0.jpg". */
  name: string;
  /** The end of the sentence "To make it faster, ...": "serve it over HTTP/3". */
  title: string;
  /** Whether the page with the change may do without this file, which it requested before. */
  takesAway?(path: string): boolean;
  /** Set if the page shows or does less with the change. What it saves is then what those files cost, and is no advice. */
  leavesOut?: true;
  /** Set if it stands for a change that shows the same, as a truncated image stands for a smaller one. Pictures are then not compared. */
  looksDifferent?: true;
} & ({ values: Values; edit?: never } | { edit: Edit; values?: never });

/** The page as one load of it showed it. */
export interface SeenPage {
  page: EditablePage;
  /** The HTML file that is loaded. */
  document: string;
  /** What a load requests, in the order of the requests: the file, and its bytes as they were sent. */
  requests: readonly { path: string; host: string; bytes: number; initiator: "style" | "script" | null }[];
  /** The file of the image that is the largest contentful paint; null if it is no image. */
  largestImage: string | null;
  /** The files of img elements that are in the window, at least in part; null if it was not looked at. */
  imagesInWindow: ReadonlySet<string> | null;
}

export interface Tried {
  /** The stack as it is, with the page, over one of the links. */
  now: ConditionValues;
  /** The time to make shorter, by its name in budgets: "pageLoad". */
  metric: string;
  /** null for a page whose files the lab cannot edit: it was generated, or its recording has no HTML. */
  seen: SeenPage | null;
  registries: Registries;
}

export interface ChangeKind {
  /** "protocol" */
  name: string;
  /** For lists: "another protocol". */
  title: string;
  changesOf(tried: Tried): Change[];
}

/** Checks the types of one kind. */
export const defineChange = (kind: ChangeKind): ChangeKind => kind;
