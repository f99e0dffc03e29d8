// ./lab score: container=alone
import type { Command } from "commander";
import { usageError } from "../../../schema/errors.ts";
import { scoreOf } from "../../claims/score.ts";
import { scoreRows, scoreSummary } from "../../claims/score-markdown.ts";
import { allClaims } from "../../plan/claims.ts";

function score(experiment: string | undefined, { rows: each }: { rows?: true }): void {
  const all = allClaims();
  const own = all.filter((one) => experiment === undefined || one.experiment === experiment);
  if (own.length === 0)
    throw usageError(`no claims of an experiment ${experiment}; of ${all.map((one) => one.experiment).join(", ")}`);
  const rows = scoreOf(own);
  console.log(each ? scoreRows(rows) : scoreSummary(rows));
  const known = rows.filter(({ number }) => number.interval).length;
  console.log(`\n${rows.length} published numbers and sentences; ${known} have an interval here.`);
  if (known)
    console.log(
      `A corrected verdict may be wrong in 0.05 of ${known} cases: all of them are right at once in 95% of such scores.`,
    );
}

export const addTo = (lab: Command) =>
  lab
    .command("score")
    .description("what the five documents published, number by number, and whether it holds here")
    .argument("[experiment]", "only what stands beside this experiment")
    .option("--rows", "a row for each number, in place of a row for each table or section")
    .action(score);
