/** Decides whether a change breaks the page. Such a change is listed with the reason, but not ranked. */
import { errorsOf } from "../../axes/expected.ts";
import type { Evidence } from "../../schema/evidence.ts";
import { differentShare, type ShownWindow } from "../../schema/picture.ts";
import type { LearntRequest } from "../../schema/registries.ts";
import { requestedFile } from "../../sites/edits/editable-page.ts";
import { documentCopies } from "../../sites/edits/edited-page.ts";
import { type Candidate, leavesOut, looksDifferent, takesAway } from "./candidate.ts";

/** The evidence that a page works: the requests and the picture of one load without loss, and the console errors of all loads. */
export interface Shown {
  learnt: readonly LearntRequest[];
  /** null if no picture was taken. */
  window: ShownWindow | null;
  evidence: readonly Evidence[];
}

/** @returns why the page with a change is broken; null if it works. Files that the change itself removes may be missing. */
export function whyBroken(candidate: Candidate, before: Shown, after: Shown): string | null {
  const { edited } = candidate;
  const copies = edited ? documentCopies(edited).map(({ copy, original }) => [copy, original] as const) : [];
  const originals = new Map([...(edited?.originals ?? []), ...copies]);
  const files = ({ learnt }: Shown) =>
    new Set(learnt.map(({ path }) => requestedFile(path)).map((path) => originals.get(path) ?? path));
  const [was, is] = [files(before), files(after)];
  // A change that leaves out a part of the page also removes the requests that this part makes.
  const gone = leavesOut(candidate) ? [] : [...was].filter((path) => !is.has(path) && !takesAway(candidate, path));
  if (gone.length) return `${listed(gone)} ${gone.length > 1 ? "are" : "is"} not requested any more`;
  const known = new Set(errorsOf(before.learnt));
  const errors = errorsOf(after.learnt).filter((one) => !known.has(one));
  if (errors.length) return `requests get errors that they did not get before: ${listed(errors)}`;
  const texts = consoleOf(before);
  const logged = [...consoleOf(after)].filter((text) => !texts.has(text));
  if (logged.length) return `its console shows a new error: ${listed(logged.slice(0, 1))}`;
  if (looksDifferent(candidate) || !before.window || !after.window) return null;
  const share = differentShare(before.window.picture, after.window.picture);
  return share > 0 ? `the window looks different in ${(100 * share).toFixed(1)}% of its area` : null;
}

const consoleOf = ({ evidence }: Shown): Set<string> =>
  new Set(evidence.flatMap(({ consoleErrors = [] }) => consoleErrors));

const shown = 2;
const listed = (names: readonly string[]): string =>
  names.length > shown ? `${names.slice(0, shown).join(", ")} and ${names.length - shown} more` : names.join(", ");
