/** What `./lab page check` prints about a recorded page: what was recorded, and how much of it the loads of a run requested again. */

import { usageError } from "../../schema/errors.ts";
import { inOneLine } from "../../schema/foreign-words.ts";
import { isImported } from "../../schema/registries.ts";
import { counted } from "../../schema/words.ts";
import { faithfulness } from "../../sites/recorded/faithfulness.ts";
import type { Recording } from "../../sites/recorded/recording.ts";
import { print } from "../output/output.ts";
import { openRun } from "../record/run-folder.ts";
import { printTable } from "./print-table.ts";

const shown = 20;

const list = (lines: readonly string[], sentence: string): void => {
  if (lines.length === 0) return;
  const more = lines.length - shown;
  const some = lines.slice(0, shown).map((line) => `  ${inOneLine(line)}`);
  print([`\n${sentence}`, ...some, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n"));
};

export function printRecording({ recordedBy, recordedAt, leftOut, exchanges }: Recording): void {
  print(`\nRecorded by ${inOneLine(recordedBy)} at ${recordedAt}: ${counted(exchanges.length, "request")}.`);
  list(leftOut, "Left out of the recording:");
}

/**
 * Compares the requests that a run has learnt of a page with its recording.
 * @param runName as for other commands @throws LabError (usage) if the run has no load of this page as it is now
 */
export function printFaithfulness(page: { name: string; sha256: string; recording: Recording }, runName: string): void {
  const { folder, manifest } = openRun(runName);
  const entry = manifest.registries.pages[page.name];
  if (!entry || !isImported(entry)) throw usageError(`${folder} has no loads of page ${page.name}`);
  if (entry.sha256 !== page.sha256)
    throw usageError(`${folder} has loads of another recording under the name ${page.name}`);
  for (const [variant, learnt] of Object.entries(entry.learnt)) {
    const { rows, share, missing, other } = faithfulness(page.recording, learnt);
    print(`\nA load without loss (${variant}) is ${(100 * share).toFixed(1)}% faithful to the recording:\n`);
    printTable(
      rows.map(({ name, recorded, again, recordedBytes, againBytes, other }) => ({
        name,
        recorded,
        "requested again": again,
        "recorded bytes": recordedBytes,
        "of these again": againBytes,
        "not recorded": other,
      })),
    );
    list(missing, "Recorded, but not requested:");
    list(other, "Requested, but not recorded:");
  }
}
