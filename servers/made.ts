/** Server programs that no Debian package has: made on this machine, when a run names the server, and kept. */
import { runLong } from "../hosts/command.ts";
import { environment } from "../hosts/environment.ts";
import { ExitCode, LabError } from "../schema/errors.ts";
import { servers } from "./servers.ts";

/** In the checkout; hosts have it as `programsDirectory`. */
export const madePrograms = ".lab/programs";

/** Nothing to do for those that are there. @throws LabError that names the server which this machine cannot make */
export async function makePrograms(names: Iterable<string>, signal?: AbortSignal): Promise<void> {
  for (const name of new Set(names)) {
    const { make, title } = servers[name] ?? {};
    if (!make) continue;
    if (environment.substrate === "compose") {
      if (environment.made.includes(name)) continue;
      throw new LabError(
        ExitCode.machineCannot,
        `the containers' images have no ${title}: LAB_MADE=${name} ./lab run ... makes them with it; without an engine, or with --substrate netns or --clock virtual, it is made on this machine`,
      );
    }
    const code = await runLong(make, signal);
    signal?.throwIfAborted();
    if (code !== 0) throw new LabError(ExitCode.machineCannot, `there is no ${title} (${make})`);
  }
}
