import { accountOf } from "../harness/explain/account.ts";
import { explainedLoads } from "../harness/explain/explained.ts";
import { savingsOf } from "../harness/explain/print/savings.ts";
import { savingsMarkdown } from "../harness/explain/print/savings-markdown.ts";
import { explanationOf } from "../harness/explain/print/summary.ts";
import { select } from "../harness/plan/select.ts";
import { conditionsOfRun } from "../harness/record/manifest.ts";
import { readRun } from "../harness/record/records.ts";
import { usageError } from "../schema/errors.ts";

/** For a run that has conditions with and without a cause of waiting: the time that explain attributes to it, and the time saved without it. */
export function benchExplain(name: string | undefined, { only }: { only: string[] }): void {
  const run = readRun(name);
  const { folder, manifest } = run;
  const ids = new Set(select(conditionsOfRun(manifest), only).map(({ id }) => id));
  const loads = [...explainedLoads(run, ({ condition }) => ids.has(condition))];
  const options = { splitsWaiting: true, processingMs: manifest.processingMs };
  const split = loads.map((one) => ({ ...one, account: accountOf(one.load, one.trace, options) }));
  const savings = savingsOf(explanationOf(split, manifest.experiment).conditions);
  if (savings.length === 0)
    throw usageError(
      `${folder} has no two conditions with traces that differ in exactly one cause of waiting (a longer RTT, a lower rate, loss, a small window, HyStart): ./lab run interventions --clock virtual makes such a run`,
    );
  process.stdout.write(savingsMarkdown(savings));
}
