import { ExitCode, LabError } from "../../schema/errors.ts";
import { verify as check } from "../judge/verify.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { renderVerification } from "../report/verification.ts";
import { again } from "./again.ts";

export interface VerifyOptions {
  json?: true;
  again?: number;
  seed: number;
}

/** From a run's files alone: whether its loads are what their rows say. The exit code says it too. */
export async function verify(name: string | undefined, { json, again: count, seed }: VerifyOptions): Promise<void> {
  const { folder, manifest } = openRun(name);
  const verification = check(readSavedRun(folder, manifest));
  process.stdout.write(json ? `${JSON.stringify(verification, null, 2)}\n` : renderVerification(verification));
  const { loads, doubted, wrongLinks, problems, missing, losses, chain } = verification;
  if (wrongLinks || losses.some(({ honest }) => !honest))
    throw new LabError(ExitCode.wrongLink, `${folder}: a link was not what was asked for`);
  if (doubted.length)
    throw new LabError(ExitCode.failed, `${folder}: ${doubted.length} of ${loads} loads cannot be vouched for`);
  if (chain?.breaks.length)
    throw new LabError(ExitCode.failed, `${folder}: the chain of its lines is broken in ${chain.breaks.length} places`);
  if (problems.length) throw new LabError(ExitCode.failed, `${folder}: ${problems.length} lines are no records`);
  if (missing)
    throw new LabError(
      ExitCode.loadsMissing,
      `${folder}: every load it has is vouched for, but ${missing} are missing`,
    );
  if (count !== undefined) await again(name, count, seed);
}
