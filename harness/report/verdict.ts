/** What `./lab verify` says of a run as a whole: its first line and its exit code are one verdict. */
import { ExitCode } from "../../schema/errors.ts";
import { counted } from "../../schema/words.ts";
import type { Verification } from "../judge/verify.ts";

export interface Verdict {
  exitCode: ExitCode;
  sentence: string;
}

/** What is wrong with a run, the gravest first: it decides the exit code. */
function faultsOf({ doubted, wrongLinks, losses, chain, problems, tooOften }: Verification): Verdict[] {
  const wrongLosses = losses.filter(({ honest }) => !honest).map(({ link, direction }) => `${link} ${direction}`);
  const breaks = chain?.breaks.length ?? 0;
  const faults: [boolean, ExitCode, string][] = [
    [wrongLinks > 0, ExitCode.wrongLink, `${counted(wrongLinks, "load")} had a link that was not what was asked for`],
    [
      wrongLosses.length > 0,
      ExitCode.wrongLink,
      `over all loads the loss was not what was asked for on ${wrongLosses.join(", ")}`,
    ],
    [doubted.length > 0, ExitCode.failed, `${counted(doubted.length, "load is", "loads are")} not what their rows say`],
    [breaks > 0, ExitCode.failed, `the chain of its lines is broken in ${counted(breaks, "place")}`],
    ...tooOften.map(({ axis, hidden, allowed }): [boolean, ExitCode, string] => [
      true,
      ExitCode.failed,
      `${axis} was hidden in ${counted(hidden, "load")}; chance hides it in ${Math.floor(allowed)} at most`,
    ]),
    [
      problems.length > 0,
      ExitCode.failed,
      `${counted(problems.length, "line is no record", "lines are no records")}, or not in their place`,
    ],
  ];
  return faults.flatMap(([found, exitCode, sentence]) => (found ? [{ exitCode, sentence }] : []));
}

/** A run with a fault is not vouched for, however many of its loads pass by themselves. */
export function verdictOf(verification: Verification): Verdict {
  const { loads, vouched, missing, chain } = verification;
  const [gravest, ...others] = faultsOf(verification);
  const absent = `${counted(missing, "load is", "loads are")} missing`;
  if (gravest) {
    const all = [gravest, ...others].map(({ sentence }) => sentence).concat(missing ? [absent] : []);
    const rest = `by themselves ${vouched} of ${counted(loads, "load")} are what their rows say`;
    return { exitCode: gravest.exitCode, sentence: `Not vouched for: ${all.join("; ")}; ${rest}` };
  }
  if (missing)
    return {
      exitCode: ExitCode.loadsMissing,
      sentence: `Incomplete: ${absent}; vouched for are all ${loads} that it has`,
    };
  const how = chain ? "Vouched for" : "Vouched for by what version 2 kept";
  return { exitCode: ExitCode.done, sentence: `${how}: ${vouched} of ${counted(loads, "load")}` };
}
