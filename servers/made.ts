/** Builds server programs for which there is no Debian package, on this machine, when a run first uses the server. */
import { runLong } from "../hosts/command.ts";
import { environment } from "../hosts/environment.ts";
import { ExitCode, LabError } from "../schema/errors.ts";
import { servers } from "./servers.ts";

/** The folder of the programs in the checkout. On hosts, this folder is at `programsDirectory`. */
export const madePrograms = ".lab/programs";

/** Builds the programs that do not exist. @throws LabError that names the server that cannot be built here */
export async function makePrograms(names: Iterable<string>, signal?: AbortSignal): Promise<void> {
  for (const name of new Set(names)) {
    const { make, title } = servers[name] ?? {};
    if (!make) continue;
    if (environment.substrate === "compose") {
      if (environment.made.includes(name)) continue;
      throw new LabError(
        ExitCode.machineCannot,
        `the containers' images do not include ${title}: LAB_MADE=${name} ./lab run ... builds images that include it; without a container engine, or with --substrate netns or --clock virtual, the program is built on this machine`,
      );
    }
    if (!(await runLong(make, signal)))
      throw new LabError(ExitCode.machineCannot, `${title} could not be built (${make})`);
  }
}
