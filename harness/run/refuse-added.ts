/** Refuses files next to an experiment if the run's hosts or workers could use them only from the lab's own folders. */
import { existsSync } from "node:fs";
import { type AddedFiles, addedPath, isCode } from "../../hosts/added.ts";
import { machineCannot } from "../../schema/errors.ts";
import type { ServerSoftware } from "../../servers/software.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import type { Place } from "./request.ts";

/** @throws LabError that names what cannot be used here, and what to do */
export function refuseAdded(added: AddedFiles = {}, substrate: Pick<Substrate, "name">, place: Place): void {
  const [first] = Object.keys(added).sort();
  if (first === undefined) return;
  if (substrate.name === "compose")
    throw machineCannot(
      `containers do not see ${first}, which is next to the experiment: use --substrate netns or --clock virtual, or put it into the lab, so that the images include it`,
    );
  const code = Object.keys(added).find(isCode);
  if (place.clock === "virtual" && place.workers && code !== undefined)
    throw machineCannot(
      `workers run only the code in their checkouts, and ${code} is next to the experiment: leave out --workers, or put it into the lab of each worker`,
    );
}

/** @returns why a server next to an experiment cannot be used; null for a usable server, and for the lab's own servers */
export function whyServerCannot(
  name: string,
  { make }: Pick<ServerSoftware, "make">,
  substrate: Pick<Substrate, "name" | "lacks">,
): string | null {
  const folder = addedPath(`servers/${name}`);
  if (folder === undefined) return null;
  if (make !== undefined)
    return `it builds its program (${make}), which only servers in the lab can do: put its folder into the lab's servers/`;
  if (substrate.name !== "guest") return null;
  const missing = substrate.lacks("", folder);
  if (missing !== null)
    return `${missing}; the root image is built for the lab's own servers: put this server's folder into the lab's servers/, or use --clock real`;
  return existsSync(`${folder}/packages.txt`) || existsSync(`${folder}/main.ts`)
    ? null
    : "it has no packages.txt, so the lab cannot check whether the guests have its program; add this file, with the Debian packages that the server needs";
}
