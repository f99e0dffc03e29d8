import { ExitCode, LabError } from "../../schema/errors.ts";
import { verify as check } from "../judge/verify.ts";
import { openRun, readSavedRun } from "../record/run-folder.ts";
import { renderVerification, renderVerificationJson } from "../report/verification.ts";

/** From a run's files alone: whether its loads are what their rows say. The exit code says it too. */
export function verify(name: string | undefined, { json }: { json?: true }): void {
  const { folder, manifest } = openRun(name);
  const verification = check(readSavedRun(folder, manifest));
  process.stdout.write(json ? renderVerificationJson(verification) : renderVerification(verification));
  const { verdicts, missing, losses } = verification;
  const doubted = verdicts.filter(({ doubts }) => doubts.length > 0);
  const wrongLink = losses.some(({ honest }) => !honest) || doubted.some(({ linkDoubts }) => linkDoubts.length > 0);
  if (wrongLink) throw new LabError(ExitCode.wrongLink, `${folder}: a link was not what was asked for`);
  if (doubted.length)
    throw new LabError(
      ExitCode.failed,
      `${folder}: ${doubted.length} of ${verdicts.length} loads cannot be vouched for`,
    );
  if (missing)
    throw new LabError(
      ExitCode.loadsMissing,
      `${folder}: every load it has is vouched for, but ${missing} are missing`,
    );
}
