/** For `./lab page check --run`: compares a recording with the requests of the loads without loss, which a run makes before its first block. */
import { usageError } from "../../schema/errors.ts";
import { isImported } from "../../schema/registries.ts";
import { faithfulness } from "../../sites/recorded/faithfulness.ts";
import type { Recording } from "../../sites/recorded/recording.ts";
import { print } from "../output/output.ts";
import { openRun } from "../record/run-folder.ts";
import { printList } from "./print-list.ts";
import { printTable } from "./print-table.ts";

const shown = 20;

/** @throws LabError (usage) if the run has no load of this version of the page */
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
        "bytes requested again": againBytes,
        "not recorded": other,
      })),
    );
    printList(missing, "Recorded, but not requested:", shown);
    printList(other, "Requested, but not recorded:", shown);
  }
}
