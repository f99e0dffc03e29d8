import { ExitCode } from "../../schema/errors.ts";
import { counted } from "../../schema/words.ts";
import { say } from "../output/output.ts";
import { leftOutOf, type Manifest } from "../record/manifest.ts";

/** Says at the end of a run which of its conditions it could not make, and ends the command like one whose loads are missing. */
export function printLeftOut(manifest: Manifest): void {
  const leftOut = leftOutOf(manifest);
  if (leftOut.length === 0) return;
  const pages = [...new Set(leftOut.map(({ condition }) => condition.values.page))];
  say(
    `lab: the run is without ${counted(leftOut.length, "condition")}, of pages that could not be loaded: ${pages.join(", ")}; the reasons are above, and in its run.json`,
  );
  process.exitCode = ExitCode.loadsMissing;
}
