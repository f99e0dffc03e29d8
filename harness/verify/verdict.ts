/** The verdict of `./lab verify` on a whole run: the command's exit code, and the sentence with which its output begins. */
import { ExitCode } from "../../schema/errors.ts";
import { counted } from "../../schema/words.ts";
import type { RunVerdict } from "../judge/run/run-verdict.ts";

export interface Verdict {
  exitCode: ExitCode;
  sentence: string;
}

/** Returns the faults of a run. The most severe fault comes first and decides the exit code. */
function faultsOf({ invalid, wrongLinks, losses, problems, tooOften }: RunVerdict): Verdict[] {
  const wrongLosses = losses
    .filter(({ withinTolerance }) => !withinTolerance)
    .map(({ link, direction }) => `${link} ${direction}`);
  const faults: [boolean, ExitCode, string][] = [
    [wrongLinks > 0, ExitCode.wrongLink, `${counted(wrongLinks, "load")} had a link that was not as configured`],
    [
      wrongLosses.length > 0,
      ExitCode.wrongLink,
      `over all loads the loss was not as configured on ${wrongLosses.join(", ")}`,
    ],
    [invalid.length > 0, ExitCode.failed, `${counted(invalid.length, "load is", "loads are")} invalid`],
    ...tooOften.map(({ axis, hidden, allowed }): [boolean, ExitCode, string] => [
      true,
      ExitCode.failed,
      `${axis} was inconclusive in ${counted(hidden, "load")}; random loss explains ${Math.floor(allowed)} at most`,
    ]),
    [problems.length > 0, ExitCode.failed, `${counted(problems.length, "problem")} in the run's files`],
  ];
  return faults.flatMap(([found, exitCode, sentence]) => (found ? [{ exitCode, sentence }] : []));
}

/** A run with a fault is invalid, even if all its loads are valid by themselves. */
export function verdictOf(run: RunVerdict): Verdict {
  const { loads, valid, missing } = run;
  const [gravest, ...others] = faultsOf(run);
  const absent = `${counted(missing, "load is", "loads are")} missing`;
  if (gravest) {
    const all = [gravest, ...others].map(({ sentence }) => sentence).concat(missing ? [absent] : []);
    const rest = `by themselves ${valid} of ${counted(loads, "load")} are valid`;
    return { exitCode: gravest.exitCode, sentence: `Invalid: ${all.join("; ")}; ${rest}` };
  }
  if (missing)
    return {
      exitCode: ExitCode.loadsMissing,
      sentence: `Incomplete: ${absent}; valid: ${valid} of ${counted(loads, "load")} in the run`,
    };
  return { exitCode: ExitCode.done, sentence: `Valid: ${valid} of ${counted(loads, "load")}` };
}
