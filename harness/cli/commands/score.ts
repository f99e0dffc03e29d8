import type { Command } from "commander";
import { usageError } from "../../../schema/errors.ts";
import { clocksAgree, scoreOf } from "../../claims/score.ts";
import { scoreRows, scoreSummary } from "../../claims/score-markdown.ts";
import { print } from "../../output/output.ts";
import { allClaims } from "../../plan/claims.ts";
import { experimentNamed } from "../named-additions.ts";

function score(experiment: string | undefined, { rows: each }: { rows?: true }): void {
  const all = allClaims();
  const own = all.filter((one) => experiment === undefined || one.experiment === experiment);
  if (own.length === 0)
    throw usageError(
      `the experiment "${experiment}" has no claims; these have: ${all.map((one) => one.experiment).join(", ")}`,
    );
  const rows = scoreOf(own);
  print(each ? scoreRows(rows) : scoreSummary(rows));
  const known = rows.filter(({ number }) => number.interval).length;
  print(
    `\n${rows.length} comparisons with published numbers and sentences; in ${known}, the lab's number has an interval.`,
  );
  if (known)
    print(
      `Corrected verdicts use wider intervals: the probability that all ${known} of these verdicts are right is at least 95%.`,
    );
  const { alike, opposite, onlyOne } = clocksAgree(rows);
  if (alike + opposite.length + onlyOne.length)
    print(
      `Numbers with runs on both clocks: ${alike} have the same verdict on both, ${opposite.length} have opposite verdicts, and ${onlyOne.length} have a verdict on one clock only.`,
    );
}

export const addTo = (lab: Command) =>
  lab
    .command("score")
    .description("compare each number in the papers with this lab's runs: do the runs confirm it?")
    .argument("[experiment]", "only the numbers of this experiment: its name, or the path of its file", experimentNamed)
    .option("--rows", "print a row for each number, instead of one for each table or section")
    .action(score);
