import { writeFileSync } from "node:fs";
import { usageError } from "../../schema/errors.ts";
import { explainedLoads } from "../explain/explained.ts";
import { select } from "../plan/select.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { foretoldOf } from "../report/explain/foretold.ts";
import { errorsOf, foretoldMarkdown } from "../report/explain/foretold-errors.ts";
import { type Tested, testedFile } from "../report/explain/tested.ts";

/** Of a run that holds both sides of interventions: what replays foretold, and what came. */
export function benchExplain(name: string | undefined, { only, write }: { only: string[]; write?: true }): void {
  const { folder, manifest } = openRun(name);
  const ids = new Set(select(conditionsOfRun(manifest), only).map(({ id }) => id));
  const isAsked = ({ condition }: { condition: string }) => ids.has(condition);
  const run = readSavedRun(folder, manifest);
  const measured = new Map<string, number[]>();
  for (const read of run.loads())
    if ("load" in read && read.load.ok && isAsked(read.load))
      measured.set(read.load.condition, [...(measured.get(read.load.condition) ?? []), read.load.pageLoadMs]);
  const foretold = foretoldOf([...explainedLoads(run, isAsked)], measured);
  if (foretold.every(({ intervention }) => !intervention))
    throw usageError(
      `${folder} has no two conditions with traces that differ in RTT, rate, loss, window or HyStart alone: ./lab run interventions --clock virtual makes such a run`,
    );
  process.stdout.write(foretoldMarkdown(foretold));
  const tested: Tested = { run: folder, errors: errorsOf(foretold) };
  if (write) writeFileSync(`${folder}/${testedFile}`, `${JSON.stringify(tested, null, 2)}\n`);
}
