import { environment } from "../hosts/environment.ts";
import { ExitCode, LabError, usageError } from "../schema/errors.ts";
import { compose } from "./compose.ts";
import { guest } from "./guest/guest.ts";
import { autoLanes } from "./guest/requirements.ts";
import { netns } from "./netns.ts";
import type { Substrate } from "./substrate.ts";

export type SubstrateOptions =
  | { clock: "real"; substrate?: "compose" | "netns" | undefined }
  | {
      clock: "virtual";
      lanes?: number | "auto" | undefined;
      processingMs?: number | undefined;
      /** A file with the guests' root file system, from `./lab root save`. */
      root?: string | undefined;
      /** A folder for logs of guests' system calls. */
      calls?: string | undefined;
    };

/** The default reaction time of programs: about the time that servers and browsers took on the real clock (docs/virtual-time.md). */
export const defaultProcessingMs = 0.1;

/**
 * Chooses where the hosts run. If there is a Docker engine, the entry script `lab` runs the harness in a container, and the hosts are containers,
 * too; otherwise network namespaces. On the virtual clock, they are in guests. @throws LabError if the requested substrate is not possible here
 */
export function chooseSubstrate(options: SubstrateOptions): Substrate {
  const inside = environment.substrate === "compose";
  if (options.clock === "virtual") {
    if (inside)
      throw usageError(
        "--clock virtual: the harness's container has no kernel for it; run ./lab outside of the container, or build the image for it (`docker build --target virtual`)",
      );
    const { lanes = "auto", processingMs = defaultProcessingMs, root, calls } = options;
    return guest(lanes === "auto" ? autoLanes() : lanes, processingMs, root, calls);
  }
  if (options.substrate === "compose" && !inside)
    throw new LabError(
      ExitCode.machineCannot,
      "there is no Docker engine with Compose here (`docker compose version`, `docker info`); --substrate netns does not need an engine",
    );
  if (options.substrate === "netns" && inside)
    throw usageError(
      "--substrate netns: the harness's container cannot make namespaces; run ./lab outside of the container",
    );
  return inside ? compose : netns;
}
