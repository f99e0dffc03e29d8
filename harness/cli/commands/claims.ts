import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { ExitCode, LabError, usageError } from "../../../schema/errors.ts";
import { changedVerdicts } from "../../claims/changed-verdicts.ts";
import { claimsTable } from "../../claims/claims-markdown.ts";
import { readDocuments, rewritten } from "../../claims/documents.ts";
import { claimsByRun, judgeClaims } from "../../claims/judge-claims.ts";
import { print } from "../../output/output.ts";
import { allClaims, readClaims } from "../../plan/claims.ts";
import { openRun } from "../../record/run-folder.ts";
import { definedBy } from "./options.ts";

interface ClaimsOptions {
  write?: true;
  check?: true;
  changed?: true;
  experiment?: string;
}

function claims(name: string | undefined, options: ClaimsOptions): void {
  const { experiment, changed } = options;
  if (name !== undefined && changed) printChanged(name, experiment);
  else if (name !== undefined) printOf(name, experiment);
  else if (changed)
    throw usageError("--changed needs a run: its verdicts are compared with those of the experiment's own run");
  else if (experiment !== undefined)
    throw usageError("--experiment needs a run, because the experiment's claims are computed from the run's loads");
  else computeAll(options);
}

function computeAll({ write, check }: ClaimsOptions): void {
  const claimsOf = claimsByRun();
  if (!write && !check) {
    const judged = allClaims().map(({ experiment }) => ({ experiment, own: claimsOf(experiment)! }));
    for (const { experiment, own } of judged) if (own.length) print(`## ${experiment}\n\n${claimsTable(own)}\n\n`);
    const decided = judged.flatMap(({ own }) => own).flatMap(({ claim, numbers }) => (claim.holds ? numbers : []));
    const known = decided.filter(({ interval }) => interval).length;
    print(
      `${known} intervals decide claims; by chance alone, about ${Math.round(known / 20)} of them do not contain the true value.`,
    );
    return;
  }
  const outdated = readDocuments().filter(({ path, text }) => {
    const right = rewritten(text, claimsOf);
    if (write && right !== text) writeFileSync(path, right);
    return right !== text;
  });
  const paths = outdated.map(({ path }) => path).join(", ");
  if (write) print(paths ? `written: ${paths}` : "all documents are up to date already");
  else if (outdated.length)
    throw new LabError(
      ExitCode.failed,
      `the numbers in ${paths} differ from those of the claims: ./lab claims --write updates them`,
    );
  else print("the numbers in all documents are those of the claims");
}

function printOf(name: string, given: string | undefined): void {
  const { folder, own } = claimsAbout(name, given);
  const measured = judgeClaims(own, folder).map(({ numbers, ...one }) => ({
    ...one,
    numbers: numbers.filter(({ value }) => value !== null),
    absent: numbers.flatMap(({ key, value, noInterval }) =>
      value === null ? [`${key && `${key}: `}${noInterval}`] : [],
    ),
  }));
  const known = measured.filter(({ numbers }) => numbers.length > 0);
  if (known.length > 0) print(`${claimsTable(known)}\n\n`);
  const partly = measured.filter(({ absent }) => absent.length > 0);
  if (partly.length === 0) return;
  print("Numbers that are left out, and why:\n\n");
  for (const { id, absent } of partly) print(`- ${id} (${absent.join("; ")})`);
}

function printChanged(name: string, given: string | undefined): void {
  const { folder, own } = claimsAbout(name, given);
  print(changedVerdicts(own, folder));
}

/** Returns the claims of the run's experiment, or of the given experiment. @throws LabError (usage) if the experiment has no claims */
function claimsAbout(name: string, given: string | undefined) {
  const { folder, manifest } = openRun(name);
  const experiment = given ?? manifest.name;
  const own = readClaims(experiment);
  if (!own) throw usageError(`${folder} has no claims: experiments/${experiment}.claims.yml does not exist`);
  return { folder, own };
}

export const addTo = (lab: Command) =>
  lab
    .command("claims")
    .description("compute each claim of papers and documents from recorded loads: number, 95% interval, verdict")
    .argument("[run]", "compute only the claims of this run's experiment, from the run's loads")
    .addOption(definedBy("claims", "the run's experiment"))
    .option("--write", "update the claims' numbers in the documents")
    .option("--changed", "print only verdicts that differ from those of the experiment's own run")
    .option("--check", "fail if a number in a document differs from the computed number of its claim")
    .action(claims);
