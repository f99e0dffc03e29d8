import { mkdirSync } from "node:fs";
import type { Command } from "commander";
import { ExitCode, LabError } from "../../../schema/errors.ts";
import { verdictOn } from "../../judge/run/judged-loads.ts";
import { print } from "../../output/output.ts";
import { readRun } from "../../record/records.ts";
import { userPath } from "../../record/user-path.ts";
import { Refusals } from "../../verify/refused.ts";
import { repeatChunks } from "../../verify/repeat-chunks.ts";
import { verdictOf } from "../../verify/verdict.ts";
import { renderVerification } from "../../verify/verification.ts";
import { aRun, root, seed, wholeNumber } from "./options.ts";

interface VerifyOptions {
  json?: true;
  again?: number;
  seed: number;
  root?: string;
  calls?: string;
  here?: true;
}

async function verify(name: string | undefined, { json, again: count, ...options }: VerifyOptions): Promise<void> {
  const run = readRun(name);
  const refusals = new Refusals(run.manifest);
  const found = verdictOn(run, (load) => refusals.add(load));
  const refused = refusals.effects();
  const { exitCode, sentence } = verdictOf(found);
  const report = () => JSON.stringify({ verdict: sentence, exitCode, ...found, refused }, null, 2);
  print(json ? report() : renderVerification(found, refused));
  if (exitCode !== ExitCode.done) throw new LabError(exitCode, `${run.folder}: ${sentence}`);
  if (count === undefined) return;
  if (options.calls !== undefined) mkdirSync(options.calls, { recursive: true });
  process.exitCode = (await repeatChunks(run, { count, ...options })).code;
}

export const addTo = (lab: Command) =>
  lab
    .command("verify")
    .description("check from a run's files that every load was made under its recorded condition")
    .argument(...aRun)
    .option("--json", "print JSON, with every load that is invalid or flagged")
    .option(
      "--again <n>",
      "virtual clock: also repeat this many chunks of the run, and compare the new lines with the recorded ones",
      wholeNumber(1, 10_000),
    )
    .addOption(seed("which chunks --again repeats").default(1))
    .option("--here", "with --again: repeat with this checkout, not with the lab of the run's commit or bundle")
    .option(
      "--calls <folder>",
      "with --again: log each chunk's system calls in this folder, and print the first call at which two executions differ",
      userPath,
    )
    .addOption(root())
    .action(verify);
