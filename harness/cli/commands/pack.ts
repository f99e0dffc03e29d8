// ./lab pack: container=alone writes
import type { Command } from "commander";
import { usageError } from "../../../schema/errors.ts";
import { verdictOn } from "../../judge/judged-loads.ts";
import { packRun } from "../../record/pack.ts";
import { readSavedRun } from "../../record/records.ts";
import { openRun } from "../../record/run-folder.ts";
import { aRun } from "./options.ts";

/** What is under way is not packed: its lanes would append to a file that is gone. */
function pack(name: string | undefined): void {
  const { folder, manifest } = openRun(name);
  const { missing } = verdictOn(readSavedRun(folder, manifest));
  if (missing > 0) throw usageError(`${folder} is not finished: ${missing} loads are missing; resume it, then pack it`);
  const { before, after } = packRun(folder);
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(
    before
      ? `${folder}: ${megabytes(before)} packed in ${megabytes(after)}; every command reads both`
      : `${folder} is packed already`,
  );
}

export const addTo = (lab: Command) =>
  lab
    .command("pack")
    .description("pack a finished run's lines with gzip, to keep them; every command reads packed runs, jq by zcat")
    .argument(...aRun)
    .action(pack);
