/** Shows which verdicts on an experiment's claims differ between two runs of the experiment, for example runs with different seeds. */
import { markdownTable } from "markdown-table";
import { type ClaimsOfExperiment, isAboutOneRun } from "../plan/claims.ts";
import { agreement, type Decided, decidedIn } from "./decided.ts";
import { type MeasuredRun, measuredRun } from "./measured-run.ts";

export const changedVerdicts = (own: ClaimsOfExperiment, other: string): string =>
  comparedVerdicts(own, measuredRun(own.run ?? own.experiment), measuredRun(other));

/** @returns Markdown: how many verdicts are the same, and a row for each that differs. Numbers for which a run lacks loads are left out. */
export function comparedVerdicts(own: ClaimsOfExperiment, first: MeasuredRun, second: MeasuredRun): string {
  const [ours, theirs] = [first, second].map((run) =>
    decidedIn(own, run, ({ quantity }) => isAboutOneRun(quantity)).filter(({ number }) => !number.absent),
  );
  const { alike, opposite, onlyOne } = agreement(ours!, theirs!);
  const counts = `Verdicts that are the same in both runs: ${alike}; opposite: ${opposite.length}; decided by only one of the runs: ${onlyOne.length}.`;
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
