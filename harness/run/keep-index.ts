import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { setPriority } from "node:os";
import { nodeCommand } from "../../substrate/substrate.ts";

const lowestPriority = 19;
/** No process is started for a run with fewer recorded bytes than this. Most runs never reach this number. */
const leastBytes = 4e6;

/**
 * Once a run has many loads, starts a process that judges and indexes them (index-keeper.ts), and that ends with this process. Use it only on
 * the virtual clock: on the real clock it would take processor time from the loads. @returns a function that ends that process
 */
export function keepIndex(folder: string, pauseMs = 10_000): () => void {
  const path = `${folder}/loads.jsonl`;
  let end = () => clearInterval(waiting);
  const waiting = setInterval(() => {
    const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (size < leastBytes) return;
    clearInterval(waiting);
    end = startKeeper(folder, pauseMs);
  }, pauseMs).unref();
  return () => end();
}

function startKeeper(folder: string, pauseMs: number): () => void {
  const command = nodeCommand("harness/run/index-keeper.ts", folder, String(pauseMs), String(leastBytes));
  try {
    const child = spawn("setpriv", ["--pdeathsig", "KILL", ...command], { stdio: "ignore" });
    child.on("error", () => {});
    if (child.pid !== undefined) setPriority(child.pid, lowestPriority);
    return () => void child.kill("SIGKILL");
  } catch {
    return () => {}; // without an index, reports judge all loads themselves
  }
}
