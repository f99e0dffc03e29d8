import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { nodeCommand } from "../../substrate/substrate.ts";

const lowestPriority = 19;

/**
 * Starts a process that keeps the index of a run's judged loads (index-keeper.ts) and ends with this process. Only for the virtual clock:
 * on the real clock it would take processor time from the loads.
 * @returns a function that ends it
 */
export function keepIndex(folder: string, pauseMs = 10_000): () => void {
  const command = nodeCommand("harness/run/index-keeper.ts", folder, String(pauseMs));
  const child = spawn("setpriv", ["--pdeathsig", "KILL", ...command], { stdio: "ignore" });
  child.on("error", () => {}); // without the index, reports judge the loads
  if (child.pid !== undefined) setPriority(child.pid, lowestPriority);
  return () => void child.kill("SIGKILL");
}
