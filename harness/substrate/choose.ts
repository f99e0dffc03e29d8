import { LabError, ExitCode } from "../errors.ts";
import { compose } from "./compose.ts";
import { netns } from "./netns.ts";
import type { Substrate } from "./substrate.ts";

/**
 * Where the hosts live: in the harness's container the engine has already decided; elsewhere `lab`, the entry, has
 * handed over to the engine if there is one, so what is left is namespaces.
 * @throws LabError when it cannot be what was asked for
 */
export async function chooseSubstrate(asked?: Substrate["name"]): Promise<Substrate> {
  const inside = process.env.LAB_SUBSTRATE === "compose";
  if (asked === "compose" && !inside)
    throw new LabError(ExitCode.machineCannot, "there is no Docker engine with Compose here (`docker compose version`, `docker info`); --substrate netns needs none");
  if (asked === "netns" && inside) throw new LabError(ExitCode.usage, "--substrate netns: this is the harness's container; run ./lab outside of it");
  return inside ? compose : netns;
}
