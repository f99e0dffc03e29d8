import type { Command } from "commander";
import { usageError } from "../../../schema/errors.ts";
import { print } from "../../output/output.ts";
import { addedIn, checkedKept } from "../../record/added/kept.ts";
import { codeIn, trust, trustBundle } from "../../record/added/trusted.ts";
import { bundleOf } from "../../record/bundle.ts";
import { findRun } from "../../record/find-run.ts";

/** Nothing of the run is executed, or read as more than bytes. */
function trustRun(name: string): void {
  const folder = findRun(name);
  const files = addedIn(folder);
  const code = codeIn(files);
  const bundle = bundleOf(folder);
  if (code.length === 0 && !bundle?.hasMachine) throw usageError(`${folder} has no code of its own`);
  checkedKept(files, folder);
  trust(files);
  for (const path of code) print(`${files[path]}  ${folder}/added/${path}`);
  if (bundle?.hasMachine) {
    trustBundle(bundle);
    print(`${bundle.sha256}  ${bundle.file}: its lab, kernel, programs and modules`);
  }
  print("Commands may run these files here from now on, as long as they are as they are now.");
}

export const addTo = (lab: Command) =>
  lab
    .command("trust")
    .description(
      "allow commands to run the code of axes, metrics, models and servers that somebody else's run keeps, and the lab of a bundle",
    )
    .argument("<run>", "a run's folder or its name, or a bundle")
    .action(trustRun);
