import { ExitCode } from "../../schema/errors.ts";
import { counted } from "../../schema/words.ts";
import { say } from "../output/output.ts";
import { leftOutOf, type Manifest } from "../record/manifest.ts";

/** Reports at the end of a run which conditions could not be loaded, and sets the exit code for missing loads. */
export function printLeftOut(manifest: Manifest): void {
  const leftOut = leftOutOf(manifest);
  if (leftOut.length === 0) return;
  const pages = [...new Set(leftOut.map(({ condition }) => condition.values.page))];
  say(
    `lab: the run lacks ${counted(leftOut.length, "condition")}, because these pages could not be loaded: ${pages.join(", ")}; the reasons are above, and in the run's run.json`,
  );
  process.exitCode = ExitCode.loadsMissing;
}
