import { usageError } from "../../schema/errors.ts";
import { explainedLoads } from "../explain/explained.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { foretoldMarkdown, foretoldOf } from "../report/explain/foretold.ts";

/** Of a run that holds both sides of interventions: what replays foretold, and what came. */
export function benchExplain(name: string | undefined): void {
  const { folder, manifest } = openRun(name);
  const foretold = foretoldOf([...explainedLoads(readSavedRun(folder, manifest))]);
  if (foretold.length === 0)
    throw usageError(
      `${folder} has no two conditions with traces that differ in RTT, rate, loss to 0%, window or HyStart alone: ./lab run interventions --clock virtual makes such a run`,
    );
  process.stdout.write(foretoldMarkdown(foretold));
}
