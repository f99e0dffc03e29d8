/** What cannot be used if it is beside an experiment, and not in the lab: said before anything starts. */
import { existsSync } from "node:fs";
import { type AddedFiles, addedPath, isCode } from "../../hosts/added.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { ServerSoftware } from "../../servers/software.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import type { Place } from "./request.ts";

const cannot = (message: string) => new LabError(ExitCode.machineCannot, message);

/** @throws LabError that names what cannot be used here, and what to do */
export function refuseAdded(added: AddedFiles = {}, substrate: Pick<Substrate, "name">, place: Place): void {
  const [first] = Object.keys(added).sort();
  if (first === undefined) return;
  if (substrate.name === "compose")
    throw cannot(
      `containers do not see ${first}, which is beside the experiment: --substrate netns or --clock virtual uses it; or put it into the lab, whose images have it`,
    );
  const code = Object.keys(added).find(isCode);
  if (place.clock === "virtual" && place.workers && code !== undefined)
    throw cannot(
      `workers run what their checkouts have, and ${code} is beside the experiment: leave out --workers, or put it into the lab of each worker`,
    );
}

/** @returns why a server beside an experiment cannot be used, or null; for the lab's own null */
export function whyServerCannot(
  name: string,
  { make }: Pick<ServerSoftware, "make">,
  substrate: Pick<Substrate, "name" | "lacks">,
): string | null {
  const folder = addedPath(`servers/${name}`);
  if (folder === undefined) return null;
  if (make !== undefined)
    return `it builds its program (${make}), as only servers in the lab can: put its folder into the lab's servers/`;
  if (substrate.name !== "guest") return null;
  const missing = substrate.lacks("", folder);
  if (missing !== null)
    return `${missing}; the root is made for the lab's own servers: put this one's folder into the lab's servers/, or take --clock real`;
  return existsSync(`${folder}/packages.txt`) || existsSync(`${folder}/main.ts`)
    ? null
    : "it has no packages.txt, so nobody knows whether the guests have its program; name its Debian packages there";
}
