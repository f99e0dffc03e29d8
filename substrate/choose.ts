import { environment } from "../hosts/environment.ts";
import { ExitCode, LabError, usageError } from "../schema/errors.ts";
import { compose } from "./compose.ts";
import { autoLanes, guest } from "./guest.ts";
import { netns } from "./netns.ts";
import type { Substrate } from "./substrate.ts";

export interface SubstrateOptions {
  substrate?: "compose" | "netns";
  clock?: Substrate["clock"];
  lanes?: number | "auto";
  processingMs?: number;
}

/** As servers and browsers took on the real clock (docs/virtual-time.md). */
export const defaultProcessingMs = 0.1;

/**
 * Where the hosts live: in the harness's container the engine has already decided; elsewhere `lab`, the entry, has
 * handed over to the engine if there is one, so what is left is namespaces. The virtual clock brings its own.
 * @param lanes on the virtual clock, how many at once
 * @throws LabError when it cannot be what was asked for
 */
export function chooseSubstrate({
  substrate: asked,
  clock,
  lanes,
  processingMs = defaultProcessingMs,
}: SubstrateOptions = {}): Substrate {
  const inside = environment.substrate === "compose";
  if (clock === "virtual") {
    if (inside)
      throw usageError(
        "--clock virtual: this is the harness's container, which has no kernel for it; run ./lab outside of it, or the image of README's `docker build --target virtual`",
      );
    if (asked) throw usageError(`--substrate ${asked} is for the real clock; the virtual one has guests of its own`);
    return guest(lanes === undefined || lanes === "auto" ? autoLanes() : lanes, processingMs);
  }
  if (lanes !== undefined && lanes !== "auto" && lanes > 1)
    throw usageError("--lanes: on the real clock lanes would disturb each other; more than one takes --clock virtual");
  if (asked === "compose" && !inside)
    throw new LabError(
      ExitCode.machineCannot,
      "there is no Docker engine with Compose here (`docker compose version`, `docker info`); --substrate netns needs none",
    );
  if (asked === "netns" && inside)
    throw new LabError(ExitCode.usage, "--substrate netns: this is the harness's container; run ./lab outside of it");
  return inside ? compose : netns;
}
