import { ExitCode, LabError } from "../../schema/errors.ts";
import { verdictOn } from "../judge/judged-loads.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { verdictOf } from "../report/verdict.ts";
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
  const found = verdictOn(readSavedRun(folder, manifest));
  const { exitCode, sentence } = verdictOf(found);
  const report = () => JSON.stringify({ verdict: sentence, exitCode, ...found }, null, 2);
  process.stdout.write(json ? `${report()}\n` : renderVerification(found));
  if (exitCode !== ExitCode.done) throw new LabError(exitCode, `${folder}: ${sentence}`);
  if (count !== undefined) await again(name, count, seed);
}
