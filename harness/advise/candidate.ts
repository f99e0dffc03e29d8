/** Makes candidates: a candidate is one change, or several changes together, with the axis values and page files that its loads need. */
import { LabError } from "../../schema/errors.ts";
import type { Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import { asItIs, type EditedPage } from "../../sites/edits/edited-page.ts";
import type { DroppedChange } from "../plan/advise-plan.ts";
import { conditionOf } from "../plan/conditions.ts";
import { refuseInability } from "../run/preflight.ts";
import type { Change, ChangeKind, SeenPage, Tried } from "./change.ts";

/** Joins the names of changes that are made together. */
export const separator = " + ";

export interface Candidate {
  name: string;
  title: string;
  changes: readonly Change[];
  /** Axis values that differ from the present stack. */
  values: Values;
  /** The page's new HTML and added files; null if the page stays as it is. */
  edited: EditedPage | null;
}

/** Whether these changes can be tried together. If not, `reason` says why. */
export const isPossible = (one: Candidate | DroppedChange): one is Candidate => !("reason" in one);

/** Makes a candidate of each change of these kinds, in the order of the kinds. @param stack the values of all axes that have no default */
export function candidatesOf(
  kinds: readonly ChangeKind[],
  tried: Tried,
  stack: Values,
): { candidates: Candidate[]; impossible: DroppedChange[] } {
  const made = kinds.flatMap((kind) => kind.changesOf(tried)).map((change) => together([change], tried, stack));
  return {
    candidates: made.filter(isPossible),
    impossible: made.flatMap((one) => (isPossible(one) ? [] : [one])),
  };
}

/** Makes one candidate from several changes: applies their edits one after the other, and merges their axis values. */
export function together(
  changes: readonly Change[],
  { seen, registries }: Tried,
  stack: Values,
): Candidate | DroppedChange {
  const name = changes.map((change) => change.name).join(separator);
  const title = changes.map((change) => change.title).join(", and ");
  const sets = changes.flatMap(({ values }) => (values ? [values] : []));
  const names = sets.flatMap(Object.keys);
  const twice = names.find((axis, i) => names.indexOf(axis) < i);
  if (twice) return { name, title, reason: `two changes set ${twice}` };
  const values = Object.assign({}, ...sets) as Values;
  const refusal = refusalOf({ ...stack, ...values }, registries);
  if (refusal !== null) return { name, title, reason: refusal };
  const edits = changes.flatMap(({ edit }) => (edit ? [edit] : []));
  const edited = edits.length && seen ? applied(edits, seen) : null;
  if (edits.length && !edited) return { name, title, reason: "it changes nothing in the page's HTML" };
  return { name, title, changes, values, edited };
}

/** @returns null if one of the edits changes nothing, because the candidate would then not do what its title says */
function applied(edits: readonly NonNullable<Change["edit"]>[], { page, document }: SeenPage): EditedPage | null {
  let edited: EditedPage | null = asItIs(page, document);
  for (const edit of edits) if (edited) edited = edit(edited);
  return edited;
}

function refusalOf(values: Values, registries: Registries): string | null {
  try {
    refuseInability(conditionOf(values, registries));
    return null;
  } catch (error) {
    if (error instanceof LabError) return error.message;
    throw error;
  }
}

/** Whether the candidate leaves out a part of the page to show what this part costs. Such a candidate is not advice. */
export const leavesOut = ({ changes }: Candidate): boolean => changes.some((change) => change.leavesOut);

export const looksDifferent = ({ changes }: Candidate): boolean =>
  changes.some((change) => change.looksDifferent || change.leavesOut);

export const takesAway = ({ changes }: Candidate, path: string): boolean =>
  changes.some((change) => change.takesAway?.(path) ?? false);
