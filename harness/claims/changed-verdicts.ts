/** Which verdicts change if another run of the same experiment judges its claims, such as one with another seed. */
import { markdownTable } from "markdown-table";
import { type ClaimsOfExperiment, readClaims } from "../plan/claims.ts";
import { agreement, type Decided, decidedIn, isAboutOneRun } from "./decided.ts";
import { type MeasuredRun, measuredRun } from "./measured-run.ts";

/**
 * @param folder the other run
 * @returns Markdown, as from comparedVerdicts; null if the experiment has no claims
 */
export function changedVerdicts(experiment: string, folder: string): string | null {
  const own = readClaims(experiment);
  return own && comparedVerdicts(own, measuredRun(own.run ?? experiment), measuredRun(folder));
}

/** @returns Markdown: how many verdicts are the same, and a row for each that is not. Numbers whose loads one run lacks are left out. */
export function comparedVerdicts(own: ClaimsOfExperiment, first: MeasuredRun, second: MeasuredRun): string {
  const [ours, theirs] = [first, second].map((run) =>
    decidedIn(own, run, isAboutOneRun).filter(({ number }) => !number.absent),
  );
  const { alike, opposite, onlyOne } = agreement(ours!, theirs!);
  const counts = `${alike} verdicts are the same in both runs; ${opposite.length} are opposite, and ${onlyOne.length} numbers are decided by only one of the runs.`;
  if (opposite.length + onlyOne.length === 0) return counts;
  return `${counts}\n\n${tableOf([...opposite, ...onlyOne])}`;
}

const tableOf = (pairs: readonly (readonly [Decided, Decided])[]): string =>
  markdownTable(
    [
      ["what", "source", "holds if", "first run (95% interval), [published]", "verdict", "other run", "verdict"],
      ...pairs.map(([one, other]) => [
        one.number.label ? `${one.says} (${one.number.label})` : one.says,
        one.document ? `${one.document}, ${one.at}` : "this lab",
        one.claim.holds ?? "",
        one.published === null ? one.here : `${one.here} [${one.published}]`,
        one.verdict,
        other.here,
        other.verdict,
      ]),
    ],
    { alignDelimiters: false },
  );
