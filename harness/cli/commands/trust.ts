import type { Command } from "commander";
import { usageError } from "../../../schema/errors.ts";
import { print } from "../../output/output.ts";
import { addedIn, checkedKept } from "../../record/added/kept.ts";
import { codeIn, trust, trustBundle } from "../../record/added/trusted.ts";
import { bundleOf } from "../../record/bundle.ts";
import { findRun } from "../../record/find-run.ts";

/** Lists and trusts a run's code. Nothing in the run is executed or parsed here. */
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
  print("From now on, commands may run these files here, unless the files change.");
}

export const addTo = (lab: Command) =>
  lab
    .command("trust")
    .description(
      "allow commands to run the code in somebody else's run (axes, metrics, models, servers), and the lab in a bundle",
    )
    .argument("<run>", "a run's folder or its name, or a bundle")
    .action(trustRun);
