import { environment } from "../hosts/environment.ts";
import { ExitCode, LabError, usageError } from "../schema/errors.ts";
import { compose } from "./compose.ts";
import { autoLanes, guest } from "./guest/guest.ts";
import { netns } from "./netns.ts";
import type { Substrate } from "./substrate.ts";

export interface SubstrateOptions {
  substrate?: "compose" | "netns";
  clock?: Substrate["clock"];
  lanes?: number | "auto";
  processingMs?: number;
  /** A file of `./lab root save`, for guests. */
  root?: string;
  /** A folder for logs of guests' system calls. */
  calls?: string;
}

/** Servers and browsers took about this long to react on the real clock (docs/virtual-time.md). */
export const defaultProcessingMs = 0.1;

/**
 * Chooses where the hosts live. If there is an engine, the entry script `lab` runs the harness in a container, and the hosts are
 * containers, too; otherwise they are network namespaces. The virtual clock has guests.
 * @param lanes on the virtual clock, how many at once
 * @throws LabError when what is requested is not possible here
 */
export function chooseSubstrate({
  substrate: requested,
  clock,
  lanes,
  processingMs = defaultProcessingMs,
  root,
  calls,
}: SubstrateOptions = {}): Substrate {
  const inside = environment.substrate === "compose";
  if (clock === "virtual") {
    if (inside)
      throw usageError(
        "--clock virtual: the harness's container has no kernel for it; run ./lab outside of the container, or the image of README's `docker build --target virtual`",
      );
    if (requested)
      throw usageError(`--substrate ${requested} is for the real clock; the virtual one has guests of its own`);
    return guest(lanes === undefined || lanes === "auto" ? autoLanes() : lanes, processingMs, root, calls);
  }
  if (root !== undefined)
    throw usageError("--root is for --clock virtual: on the real clock servers and browsers are this machine's");
  if (lanes !== undefined && lanes !== "auto" && lanes > 1)
    throw usageError("--lanes: on the real clock lanes would disturb each other; more than one takes --clock virtual");
  if (requested === "compose" && !inside)
    throw new LabError(
      ExitCode.machineCannot,
      "there is no Docker engine with Compose here (`docker compose version`, `docker info`); --substrate netns needs none",
    );
  if (requested === "netns" && inside)
    throw new LabError(
      ExitCode.usage,
      "--substrate netns: the harness's container cannot make namespaces; run ./lab outside of the container",
    );
  return inside ? compose : netns;
}
