import { ExitCode, LabError } from "../../schema/errors.ts";
import { makePrograms } from "../../servers/made.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import type { Lifetime } from "./lifetime.ts";
import { lockLab } from "./lock.ts";

/** Locks this lab, and prepares what lanes need: server programs, the kernel, certificates, pages. @param servers the servers' names */
export async function openLab(
  substrate: Substrate,
  servers: Iterable<string>,
  { signal, abort, onEnd }: Lifetime,
): Promise<void> {
  onEnd(await lockLab(substrate.lockPath));
  await makePrograms(servers, signal);
  signal.throwIfAborted();
  onEnd(await substrate.open((message) => abort(new LabError(ExitCode.failed, message)), signal));
  signal.throwIfAborted();
}
